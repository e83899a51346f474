/** What scripts of the page meet that the browser's own types do not say. */
interface Window {
  Plotly: any;
  vis: any;
  filesDroppedEarly?: () => File[];
}

/** Markup stands in files of its own, which no checker of scripts reads: what is found in it is known to its script. */
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Element {
  closest(selectors: string): any;
}

/** `element("button.quiet")` makes a button. */
type TagOf<What extends string> = What extends `${infer Tag}.${string}` ? Tag : What;
type Made<What extends string> = TagOf<What> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagOf<What>] : HTMLElement;
/** What `element` takes in; of what is nothing, nothing is drawn. */
type Child = Node | string | number | null | undefined | false;

/** Where a thing is sorted by: a column, and whether from its end. */
type Sort = { by: string | null; down: boolean };

/** What the server hands to `mount()` of a tab: its own element, the functions of the server, a way for files. */
type Widget<Server> = { element: HTMLElement; server: Server; upload: Upload };
type Upload = (file: File) => Promise<{ path: string }>;

/** A function of the server: what it is asked with, beside the language of labels, and what it replies. */
type Action<Asked, Reply> = (asked: Asked & { ui: string }) => Promise<Reply>;
type Call = <Asked, Reply>(action: Action<Asked, Reply>, ...asked: {} extends Asked ? [Asked?] : [Asked]) => Promise<Reply | null>;

/** What an address gives: data, or why there are none. */
type Fetched<Reply> = Reply & { problem?: Problem };

type Problem = { what: string; why: string; remedy: string };

/** Where something stands: a document, and what of it is meant. */
type OpenedDocument = {
  document: string;
  page?: number | null;
  item?: string | null;
  quote?: string;
  view?: DocumentView | null;
  place?: Place | null;
  table?: number | null;
  cell?: NamedCell;
};
/** A cell of a table as markup names it. */
type NamedCell = { table?: string; row?: string; column?: string };
/** What a citation leads to. */
type Aim = { number?: number | null; item?: string | null; quote?: string; cell?: { table: number; row: number; column: number } | null };

/** What the widgets of the page tell each other. */
interface Messages {
  "address": {};
  "answered": {};
  "back": {};
  "ask": string;
  "compose": { text: string; action: string };
  "connection": {};
  "documents-changed": {};
  "features": {};
  "found-model": { address: string; model: string };
  "language": {};
  "library": {};
  "memory-dock": {};
  "mode": string;
  "models": {};
  "open-answer": { conversation: string; message: string };
  "open-answer-graph": { answer: string | null };
  "open-concept": { name: string; id: string | null; answer: string | null };
  "open-document": string;
  "palimpsest:open": OpenedDocument;
  "personality": {};
  "preferred": Partial<Preferences>;
  "search-memory": string;
  "tab": string;
  "theme": {};
}
