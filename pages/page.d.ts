/** What scripts of the page meet that the browser's own types do not say. */
interface Window {
  Plotly: any;
  vis: any;
  filesDroppedEarly: () => File[];
}

/** Markup stands in files of its own, which no checker of scripts reads: what is found in it is known to its script. */
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Element {
  closest(selectors: string): any;
}
