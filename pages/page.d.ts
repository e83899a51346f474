/** Types of the page's scripts that the browser's own types do not cover. */
interface Window {
  Plotly: any;
  vis: any;
  filesDroppedEarly?: () => File[];
}

/** HTML is in separate files, which the type checker does not read: each script knows its own elements. */
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
/** Children that `element` accepts; empty values draw nothing. */
type Child = Node | string | number | null | undefined | false;

/** A sort order: a column, and whether it is descending. */
type Sort = { by: string | null; down: boolean };

/** Arguments of a tab's `mount()`: its root element, the server's functions, and the upload function. */
type Widget<Server> = { element: HTMLElement; server: Server; upload: Upload };
type Upload = (file: File) => Promise<{ path: string }>;

/** A server function: its arguments, besides the language of labels, and its reply. */
type Action<Asked, Reply> = (asked: Asked & { ui: string }) => Promise<Reply>;
type Call = <Asked, Reply>(action: Action<Asked, Reply>, ...asked: {} extends Asked ? [Asked?] : [Asked]) => Promise<Reply | null>;

/** The reply of a request: data, or the reason why there are none. */
type Fetched<Reply> = Reply & { problem?: Problem };

type Problem = { what: string; why: string; remedy: string };

/** A position: a document, and the part of it. */
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
/** A cell of a table, as named in HTML. */
type NamedCell = { table?: string; row?: string; column?: string };
/** The target of a citation. */
type Aim = { number?: number | null; item?: string | null; quote?: string; cell?: { table: number; row: number; column: number } | null };

/** Messages between the page's widgets. */
interface Messages {
  "address": {};
  "answered": {};
  "back": {};
  "ask": string;
  "compose": { text: string; action: string };
  "connection": {};
  "documents-changed": {};
  "features": {};
  "language": {};
  "library": {};
  "memory-dock": {};
  "mention": { id: string; title: string; here: boolean };
  "mode": string;
  "models": {};
  "open-answer": { conversation: string; message: string };
  "open-answer-graph": { answer: string | null };
  "open-concept": { name: string; id: string | null; answer: string | null };
  "open-dataset": { dataset: string; row?: number };
  "open-document": string;
  "palimpsest:open": OpenedDocument;
  "personality": {};
  "preferred": Partial<Preferences>;
  "search-memory": string;
  "tab": string;
  "theme": {};
}
