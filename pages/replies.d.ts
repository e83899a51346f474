/** The server's replies, by tab. The names of the functions are those of the registry of actions; a test checks this. */

/* -- shared by several tabs ------------------------------------------------------------------ */
type Language = "en" | "he";
type Preferences = { language: Language | null; theme: "light" | "dark" | null; mode: string | null; industry: string | null; country: string | null; tell_web: boolean | null };
type Html = { html: string };
type FileReply = { name: string; text: string; type: string };
type Offered = { id: string; label: string };
type Outcome = "worked" | "partial" | "failed" | "unknown";

type Standing = { stage: string; done: number; total: number; words: number | null; meaning: number | null };
/** The progress of a model's extraction from a document. */
type Extraction = { state: string; done: number; parts: number };
type Progress = { text?: string; done?: number | null; total?: number | null };
type DocumentRow = {
  id: string;
  title: string;
  /** its owner, if that is another member of the user's group; and the group that its owner shares it with */
  owner: string | null;
  group: string | null;
  kind: string;
  organisations: string[];
  periods: string[];
  bytes: number;
  standing: Standing | null;
  filename: string;
  pages: number | null;
  language: string;
  state: "pending" | "processing" | "completed" | "failed" | "cancelled";
  chunks: number;
  searchable: number;
  embedded: number;
  without_vectors: number;
  size: string;
  added_at: number;
  /** only for a web page */
  origin: { url: string; fetched_at: number } | null;
  can_retry: boolean;
  failed_unseen: boolean;
  differing: number;
  /** scanned pages, while some of them are not recognised yet */
  recognition: { done: number; total: number } | null;
  extraction: Extraction | null;
  problem?: Problem;
  progress?: Progress;
};
/** An update of the live stream of documents. */
type DocumentsUpdate = { documents: DocumentRow[]; idle: boolean };
/** For an archive: its files that were added, that already existed, and that were refused. */
type UnpackedReply = { status: "unpacked"; documents: DocumentRow[]; known: DocumentRow[]; left_out: { name: string; problem: Problem }[] };
type Submission = { status: "accepted" | "duplicate" | "namesake"; document: DocumentRow };
/** An action of the same tab, run for each of several objects. */
type Repeated = { action: string; each: object[] };
type Replied = { replies: ({ problem?: Problem } | null)[] };
type ReceivedFile = { path: string; name: string; choice: Choice };
type Choice = "ask" | "replace" | "keep_both";

type Limit = { name: "limits.file_bytes" | "limits.document_pages"; value: number; default: number; least: number; most: number; fixed: boolean };
type LimitsReply = { limits: Limit[]; table_bytes: number; may_change: boolean };
/** What to install for a model on this computer; `download` and `memory` in gigabytes. */
type Advice = { as_of: string; program: string; page: string; models: { id: string; command: string; download: number; memory: number }[] };
type FoundModels = {
  servers: { name: string; address: string; models: string[] }[];
  /** programs that run without a chat model */
  empty: string[];
  advice: Advice | null;
  /** whether a model is chosen already */
  chosen: boolean;
  search: { kind: string; model: string; lines: string[] }[];
};

/* -- the header ------------------------------------------------------------------------------ */
interface FrameServer {
  note_failures_seen: Action<{}, {}>;
  remove: Action<{ id: string }, { deleted: string }>;
  retry: Action<{ id: string }, { document: DocumentRow }>;
  unseen_failures: Action<{}, { documents: DocumentRow[] }>;
  documents: Action<{}, { documents: DocumentRow[] }>;
  health: Action<{}, { state: string; summary: string; html: string; signed_in: boolean; hidden: string[] }>;
  assistant: Action<{}, { name: string | null }>;
  preferences: Action<{}, { preferences: Preferences }>;
  prefer: Action<Partial<Preferences>, { preferences: Preferences }>;
}

/* -- chat ------------------------------------------------------------------------------------ */
type ConversationRow = { id: string; title: string; updated_at: number; snippet?: string };
type MessageRow = { id: string; role: "user" | "assistant"; language: Language; run: string; follows: string | null; text: string; running: boolean; html: string; versions: string[] };
type Starters = { documents: number; questions: string[]; more_follow: boolean; scoring_enforced: boolean; web: { ready: boolean; needs: string }; models: Offered[] };
type Mention = { kind: "document" | "set" | "attachment"; title: string; hint: string; count: number; insert: string };
type Question = { text: string; conversation_id: string | null; mode: string | null; model: string | null; action: string | null; web: boolean; without: string[]; replaces?: string };
type CardAnswer = { choice_ids?: string[]; text?: string; steps?: { id: string; text: string }[]; cancel?: boolean };
type Cited = { run_id: string; number?: number | null; item_id?: string | null; quote?: string; cell?: Aim["cell"] };
type Why = { reason: string | null; words: string };
type Frame = { kind: string; html: any; live: string; begin: number; outcome: string | null };

/** A change of one part of a query over datasets. */
type DataChange = { column?: string; op?: string; value?: string; bucket?: string | null; function?: string; descending?: string; limit?: number; remove?: boolean };
type AskedQuery = { query: string; language: string };
type DrawnQuery = AskedQuery & { chart?: string; path?: string; change?: DataChange };

interface ChatServer {
  run_data: Action<DrawnQuery, Html & { line: string }>;
  data_part: Action<AskedQuery & { path: string; column?: string }, Html>;
  data_behind: Action<AskedQuery & { point?: number; limit?: number }, Html & { total: number }>;
  export_data: Action<AskedQuery & { format: string }, FileReply & { base64?: string }>;
  add_bank_item: Action<Entry & { conversation_id?: string | null }, Stored>;
  counts: Action<{}, { kinds: Record<string, number>; categories: { key: string; name: string; count: number }[] }>;
  delete_bank_item: Action<{ memory_id: string }, ItemReply>;
  memory_history: Action<{ memory_id: string }, MemoryHistory>;
  search_memory: Action<{ query: string; tiers: Tier[]; kinds: string[]; categories: string[]; sort: string }, FoundMemories>;
  accept_offer: Action<{ offer_id: string; language: string }, Html>;
  answer_graph: Action<{ id: string }, Graph>;
  answer_now: Action<{ id: string }, {}>;
  for_each: Action<Repeated, Replied>;
  answer_text: Action<{ id: string }, { markdown: string; html: string }>;
  ask: Action<Question, { conversation: ConversationRow; run: string; question: string; language: Language }>;
  attach: Action<{ path: string; name: string; conversation_id: string | null }, (Submission | UnpackedReply) & { conversation: string }>;
  attachments: Action<{ id: string }, { documents: DocumentRow[] }>;
  conversations: Action<{ search: string }, { conversations: ConversationRow[] }>;
  decline_offer: Action<{ offer_id: string; language: string }, Html>;
  delete_conversation: Action<{ id: string }, ConversationRow>;
  detach: Action<{ id: string }, {}>;
  evidence: Action<Cited, Html>;
  choose_model: Action<PickedModel, SettingsReply>;
  choose_version: Action<{ id: string }, ConversationRow>;
  export_conversation: Action<{ id: string; format: string }, FileReply>;
  feedback: Action<{ message_id: string; outcome: string; related: number[]; why: Why | null; right: string; language: string }, Html & { outcome: string }>;
  find_models: Action<{}, FoundModels>;
  keep_found_table: Action<{ run_id: string; number: number }, Submission>;
  known: Action<{ run_id: string }, Html>;
  load_samples: Action<{}, { documents: DocumentRow[] }>;
  mentionable: Action<{ search: string; conversation_id: string | null }, { mentions: Mention[] }>;
  open_conversation: Action<{ id: string }, { conversation: ConversationRow; messages: MessageRow[]; scoring_enforced: boolean }>;
  prefer: Action<Partial<Preferences>, { preferences: Preferences }>;
  preview: Action<Cited, Html>;
  publish: Action<{ id: string; choice: Choice }, Submission>;
  undo_correction: Action<{ message_id: string; language: string }, Html & { outcome: string }>;
  rename_conversation: Action<{ id: string; title: string }, ConversationRow>;
  restore_conversation: Action<{ id: string }, ConversationRow>;
  resume: Action<CardAnswer & { run_id: string; interrupt_id: string }, {}>;
  retry_attachment: Action<{ id: string }, { document: DocumentRow }>;
  starters: Action<{}, Starters>;
  stop: Action<{ id: string }, {}>;
  undo_detach: Action<{ id: string }, { document: DocumentRow }>;
  undo_offer: Action<{ offer_id: string; language: string }, Html>;
}

/* -- library --------------------------------------------------------------------------------- */
type DocumentSet = { id: string; name: string; documents: string[]; owner: string | null; group: string | null };
type SetReply = { set: DocumentSet };
type FoundPlace = { item: string; page: number | null; section: string | null; pieces: [string, boolean][] };
type Found = { document: string; more: number; places: FoundPlace[] };

type PageReply = { status: "accepted" | "duplicate"; updated: boolean; document: DocumentRow };

type DataCondition = { column: string; op: string; value: string | null };
type RowsAsked = { dataset: string; words?: string; filters?: DataCondition[]; sort?: string | null; descending?: boolean; offset?: number; row?: number };

interface LibraryServer {
  add_page: Action<{ address: string }, PageReply>;
  cancel: Action<{ id: string }, {}>;
  change_limit: Action<{ name: string; value: number | null }, LimitsReply>;
  correct: Action<{ id: string; field: string; value: string }, { document: DocumentRow }>;
  correct_data_column: Action<{ dataset: string; key: string; name?: string; type?: string }, {}>;
  create_set: Action<{ name: string; documents: string[] }, SetReply>;
  data_column: Action<{ dataset: string; key: string }, Html>;
  data_page: Action<RowsAsked, Html>;
  data_view: Action<RowsAsked, Html>;
  delete_set: Action<{ id: string }, {}>;
  discard: Action<{ path: string; name: string }, {}>;
  document_detail: Action<{ id: string }, Html>;
  documents: Action<{}, { documents: DocumentRow[]; most_bytes: number; most_table_bytes: number; group: string | null; reads_web: boolean; contradictions: number; contradictions_html: string }>;
  extract: Action<{ id: string }, {}>;
  fill_set: Action<{ id: string; add?: string[]; remove?: string[] }, SetReply>;
  findings: Action<{ id: string }, Html>;
  find_text: Action<{ search: string }, { found: Found[] }>;
  for_each: Action<Repeated, Replied>;
  limits: Action<{}, LimitsReply>;
  load_samples: Action<{}, { documents: DocumentRow[] }>;
  note_failures_seen: Action<{}, {}>;
  read_again: Action<{ id: string; hidden: boolean; encoding: string }, { document: DocumentRow }>;
  remember_transcript: Action<{ id: string }, { speakers: Record<string, number>; turns: number }>;
  remove: Action<{ id: string }, { deleted: string }>;
  rename_set: Action<{ id: string; name: string }, SetReply>;
  restore_data_column: Action<{ dataset: string; key: string }, {}>;
  retry: Action<{ id: string }, { document: DocumentRow }>;
  section: Action<{ id: string; section: number }, Html>;
  sets: Action<{}, { sets: DocumentSet[] }>;
  share: Action<{ id: string }, { document: DocumentRow }>;
  share_set: Action<{ id: string }, SetReply>;
  stop_extraction: Action<{ id: string }, {}>;
  submit: Action<ReceivedFile, Submission | UnpackedReply>;
  take_back: Action<{ id: string }, { document: DocumentRow }>;
  take_back_set: Action<{ id: string }, SetReply>;
  undo_delete_set: Action<{ id: string }, SetReply>;
  undo_remove: Action<{ id: string }, { document: DocumentRow }>;
  update_page: Action<{ id: string }, PageReply>;
}

/* -- knowledge ------------------------------------------------------------------------------- */
type Colour = "routing" | "content" | "both" | "action";
type GraphNode = {
  id: string;
  label: string;
  kind_words: string;
  colour: Colour;
  size: number;
  x: number;
  y: number;
  linked: boolean;
  importance: number;
  mentions: number;
  documents: number;
  answers: number;
  worked: number;
  failed: number;
  partial: number;
  last_seen: number;
};
type GraphEdge = { a: string; b: string; width: number; words: string; count: number; directed: boolean; dashed: boolean; weak: boolean };
type Graph = { nodes: GraphNode[]; edges: GraphEdge[] };
/** Without `nodes` and the rest if the page already has it. */
type GraphReply = Graph & { unchanged?: true; found: string[]; unlinked: string; version: string; pending: number; totals: { concepts: number; colours: Record<Colour, number> } };
type GraphFilters = { colours: Colour[]; period: string; sort: string; top: number; search: string; session: string | null; focus: string[]; answer: string | null; document: string; set: string; kinds: string[]; tier: string; since: string; until: string };
type Named = { id: string; label: string };
type TimelineFilters = { document: string; set: string; since: string; until: string; search: string };
type ChoicesReply = { documents: Named[]; sets: Named[]; kinds: Named[]; tiers: Named[]; months: (Named & { documents: number })[] };

interface KnowledgeServer {
  charts: Action<{}, { figures: Record<string, string> }>;
  choices: Action<{}, ChoicesReply>;
  concept: Action<{ id: string; optional: boolean }, Html & { label: string }>;
  export_graph: Action<GraphFilters & { format: string }, FileReply>;
  export_timeline: Action<TimelineFilters & { at: string }, FileReply>;
  find_concept: Action<{ name: string; answer?: string | null }, { id: string | null }>;
  find_names: Action<{ name: string }, { names: Named[] }>;
  graph: Action<GraphFilters & { version: string; surroundings: boolean }, GraphReply>;
  load_samples: Action<{}, { documents: DocumentRow[] }>;
  neighbours: Action<{ id: string }, Graph>;
  path: Action<{ a: string; b: string }, Graph & Html & { found: boolean }>;
  timeline: Action<TimelineFilters & { at: string }, Html>;
}

/* -- memory ---------------------------------------------------------------------------------- */
type Tier = "working" | "history" | "patterns" | "books" | "memory_bank";
type SaidText = { question: string | null; text: string };
type MemoryRow = {
  id: string;
  tier: Tier;
  kind: string;
  status: string;
  text: string;
  said: SaidText;
  title: string | null;
  tags: string[];
  score: number;
  uses: number;
  last_outcome: Outcome | null;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  always_inject: boolean;
  texts: number;
  version: number;
};
type Segment = { part: string; amount: number };
type ScoreParts = {
  dense_rank: number | null;
  lexical_rank: number | null;
  boosts: Record<string, number>;
  learned: number;
  learned_weight: number;
  cross_encoder: number | null;
  final: number;
};
type MemoryHit = {
  position: number;
  memory_id: string;
  tier: Tier;
  text: string;
  said: SaidText;
  kind: string;
  taken_out: { kind: string; category: string | null } | null;
  citation: { conversation_id: string | null; document_id: string | null; passage_id?: string | null; page: number | null; title: string | null };
  uses: number;
  score: number;
  last_outcome: Outcome | null;
  equal: string[];
  parts: ScoreParts;
  segments: Segment[];
  created_at: number;
  pin: { text: string; tag: string } | null;
};
type FoundMemories = { hits: MemoryHit[]; skipped: string[] };
type TierView = {
  tier: Tier;
  count: number;
  scores: number[];
  oldest: number | null;
  lifetime: number | null;
  soon: number | null;
  expiring: number;
  rises_to: Tier | null;
  rises_score: number;
  rises_uses: number;
};
type MemoryStats = { tiers: TierView[]; archive_below: number; promote_minutes: number };
type Move = { from_tier: Tier; to_tier: Tier; to_status: string; reason: string; score: number; uses: number };
type Due = { moves: (Move & { text: string | null; said: SaidText | null })[]; busy: boolean };
type VersionRow = { id: string; text: string; at: number; reason: string };
type MemoryHistory = {
  versions: VersionRow[];
  outcomes: { question: string; outcome: Outcome; at: number; why: { reason: string | null; words: string } | null }[];
  moves: (Move & { at: number })[];
};
type AskedRow = { question: string; at: number; outcome: Outcome | null; recalled: number };
type Entry = { text: string; tags: string[]; always_inject: boolean };
type ItemReply = { item: MemoryRow };
type Stored = ItemReply & { what: string };
type BankStats = { statuses: Record<string, number>; tags: Record<string, number>; mean_quality: number; capacity: number };

/** Server functions for the memory search, on its tab and next to the chat. */
type Remembering = Pick<MemoryServer, "add_bank_item" | "counts" | "delete_bank_item" | "memory_history" | "search_memory">;

interface MemoryServer {
  add_aim: Action<{ aim: string; text: string }, ItemReply>;
  add_bank_item: Action<Entry & { conversation_id?: string | null }, Stored>;
  archive_bank_item: Action<{ memory_id: string }, ItemReply>;
  bank_stats: Action<{}, BankStats>;
  bank_versions: Action<{ memory_id: string }, { versions: VersionRow[] }>;
  counts: Action<{}, { kinds: Record<string, number>; categories: { key: string; name: string; count: number }[] }>;
  conversation_memory: Action<{ conversation_id: string }, { title: string; facts: MemoryRow[]; said: MemoryRow[]; asked: AskedRow[] }>;
  delete_bank_item: Action<{ memory_id: string }, ItemReply>;
  list_aims: Action<{}, { goals: MemoryRow[]; values: MemoryRow[] }>;
  list_bank: Action<{ status: string }, { items: MemoryRow[] }>;
  list_tier: Action<{ tier: Tier; sort: string; after: string | null }, { items: MemoryRow[]; next: string | null }>;
  memory_history: Action<{ memory_id: string }, MemoryHistory>;
  memory_state: Action<{}, { enabled: boolean }>;
  memory_stats: Action<{}, MemoryStats>;
  promote_memory: Action<{ dry_run: boolean }, Due>;
  remove_aim: Action<{ aim: string; memory_id: string }, ItemReply>;
  restore_bank_item: Action<{ memory_id: string }, ItemReply>;
  restore_bank_version: Action<{ memory_id: string; version_id: string }, ItemReply>;
  search_memory: Action<{ query: string; tiers: Tier[]; kinds: string[]; categories: string[]; sort: string }, FoundMemories>;
  undelete_bank_item: Action<{ memory_id: string }, ItemReply>;
  update_bank_item: Action<Entry & { memory_id: string; if_version: number }, ItemReply>;
}

/* -- personality ----------------------------------------------------------------------------- */
type Flaw = { line: number | null; column: number | null; text: string };
type Quick = Record<string, string | boolean>;
/** The server's view of a text. */
type TextView = { text: string; quick: Quick | null; prompt: string | null; assistant: string | null; errors: Flaw[]; warnings: Flaw[] };
type TemplateRow = { slug: string; name: string; kind: "preset" | "custom"; active?: boolean };
type Template = TemplateRow & { text: string };

interface PersonalityServer {
  activate: Action<{ slug: string }, { assistant: string }>;
  draft: Action<{ text: string; changes: Quick }, TextView>;
  example: Action<{}, TextView>;
  remove: Action<{ slug: string }, { template: Template }>;
  save: Action<{ name: string; text: string }, { template: Template; replaced: { name: string; text: string } | null }>;
  template: Action<{ slug: string }, TextView & { template: Template }>;
  templates: Action<{}, { templates: TemplateRow[]; fell_back: boolean; most_characters: number; need_a_model: string[]; model: boolean }>;
}

/* -- settings -------------------------------------------------------------------------------- */
type Provider = {
  id: string;
  label: string;
  address: string | null;
  takes_address: boolean;
  host: string | null;
  key_given: boolean;
  key_fixed: boolean;
  address_fixed: boolean;
  answers: string | null;
  small: string | null;
};
type Models = { provider: string | null; answers: string | null; small: string | null; further: string[]; fixed: string[]; providers: Provider[] };
type PickedModel = { provider: string; address: string; key: string; answers: string; small: string; further: string[] };
type Check = { name: string; works: boolean | null };
type Trial = { checks: Check[]; first_token: number | null; trouble: Problem | null };
type StorageUse = { folder: string; kinds: Record<string, number>; free: number; servers: string[] };
type SettingsReply = {
  models: Models;
  limits: Limit[];
  spending: { value: number | null; fixed: boolean };
  spent: { cost: number };
  storage: StorageUse | null;
  preferences: Preferences;
  samples: number;
  may_change: boolean;
};

type KeyScope = "read" | "ask" | "write" | "administer";
type ApiKey = { id: string; name: string; prefix: string; created_at: number; expires_at: number | null; last_used_at: number | null; scopes: KeyScope[] };
type AccountReply = { name: string; signs_in: boolean; has_password: boolean; administrator: boolean; group: string | null; sessions: { created_at: number; expires_at: number; address: string; browser: string }[] };
type Person = { name: string; role: "administrator" | "person"; group: string | null; created_at: number; last_sign_in_at: number | null; has_password: boolean };
type AuditEntry = {
  id: string;
  at: number;
  user_id: string;
  kind: "signed_in" | "sign_in_failed" | "signed_out" | "deleted" | "restored" | "exported" | "changed" | "key_made" | "key_revoked" | "account_made" | "account_changed" | "account_removed";
  action: string;
  subject: string;
  address: string;
  by: "session" | "key" | "machine";
};
type SoughtEntries = { kinds?: AuditEntry["kind"][]; person?: string; since?: number | null; after?: string; limit?: number };
type Effects = { reads_only: boolean; deletes: boolean; sends: boolean; spends: boolean };
type OfferedTool = { name: string; title: string; description: string; arguments: string[]; effects: Effects };
type OfferedResource = { name: string; uri: string; description: string };
type OfferedPrompt = { name: string; description: string; arguments: string[] };
/** For secrets, only their names. */
type ToolServer = {
  id: string;
  name: string;
  origin: "file" | "page";
  kind: "program" | "address" | "unusable";
  state: string;
  trouble: Problem | null;
  command: string;
  args: string[];
  env: string[];
  url: string;
  headers: string[];
  hosts: string[];
  sign_in_at: string;
  software: string;
  offered: { tools: OfferedTool[]; resources: OfferedResource[]; prompts: OfferedPrompt[] };
};
type ToolServersReply = { servers: ToolServer[]; typed: boolean; off: boolean; revision: number; problem_of_file: Problem | null };
/** As entered; a secret without a value keeps its saved value. */
type TypedServer = { name: string; command?: string; args?: string[]; env?: Record<string, string | null>; url?: string; headers?: Record<string, string | null>; hosts?: string[] };

interface SettingsServer {
  account: Action<{}, AccountReply>;
  add_person: Action<{ person: string; password: string; role: Person["role"] }, { person: Person }>;
  add_server: Action<TypedServer, ToolServersReply>;
  change_limit: Action<{ name: string; value: number | null }, LimitsReply>;
  change_password: Action<{ old: string; new: string }, { changed: string }>;
  change_group: Action<{ person: string; group: string }, { person: Person }>;
  change_role: Action<{ person: string; role: Person["role"] }, { person: Person }>;
  choose_model: Action<PickedModel, SettingsReply>;
  create_key: Action<{ name: string; scopes: KeyScope[]; days: number | null }, { key: ApiKey; secret: string }>;
  delete_account: Action<{ password: string }, { removed: string }>;
  destination: Action<PickedModel, { host: string; reach: string }>;
  edit_server: Action<TypedServer & { id: string }, ToolServersReply>;
  find_models: Action<{}, FoundModels>;
  keys: Action<{}, { keys: ApiKey[] }>;
  limit_spending: Action<{ value: number | null }, SettingsReply>;
  load_samples: Action<{}, { documents: DocumentRow[] }>;
  offered: Action<PickedModel, { models: Offered[] }>;
  people: Action<{}, { people: Person[] }>;
  prefer: Action<Partial<Preferences>, { preferences: Preferences }>;
  preferences: Action<{}, { preferences: Preferences }>;
  quote_only: Action<{}, SettingsReply>;
  refresh_server: Action<{ id: string }, ToolServersReply>;
  remove_person: Action<{ person: string }, { removed: string }>;
  remove_server: Action<{ id: string }, ToolServersReply>;
  reset_password: Action<{ person: string; password: string }, { changed: string }>;
  restore_server: Action<{ id: string }, ToolServersReply>;
  revoke_key: Action<{ id: string }, { revoked: string }>;
  settings: Action<{}, SettingsReply>;
  sign_out_everywhere: Action<{}, { ended: number }>;
  sign_out_person: Action<{ person: string }, { ended: number }>;
  sign_in_server: Action<{ id: string; origin: string }, { address: string | null }>;
  switch_server: Action<{ id: string; enabled: boolean }, ToolServersReply>;
  tool_server_news: Action<{ revision: number }, ToolServersReply>;
  tool_servers: Action<{}, ToolServersReply>;
  try_model: Action<PickedModel, Trial>;
  try_server: Action<TypedServer & { id: string }, { server: ToolServer }>;
}

/* -- tools ----------------------------------------------------------------------------------- */
type Parameter = { name: string; kind: string; description: string; required: boolean; default: unknown; choices: unknown[] };
type Figures = { calls: number; found_nothing: number; failed: Record<string, number>; fell_back: number; repaired: number; loops: number; hebrew: number; hebrew_found: number; last: number | null; p50: number; p95: number };
type Tool = {
  name: string;
  title: string;
  description: string;
  server: string;
  on: boolean;
  fixed: boolean;
  reads_only: boolean;
  harmless: boolean;
  sends: boolean;
  breaker: string;
  seconds: number;
  fallbacks: string[];
  parameters: Parameter[];
  figures: Figures;
};
type ServerOfTools = { name: string; own: boolean; state: string; trouble: string | null; tools: number };
type Agreement = { id: string; scope: string; server: string; tool: string; decision: string };
type ToolsReply = { servers: ServerOfTools[]; tools: Tool[]; agreements: Agreement[]; acting: boolean; may_change: boolean };
type FoundTable = { title: string; columns: string[]; rows: (string | number | boolean | null)[][]; total: number | null };
type ToolOutcome = { arguments: Record<string, unknown>; warnings: string[]; trouble: Problem | null; found: boolean; text: string; notes: string[]; tables: FoundTable[] };

type CatalogueState = { address: string; built_at: number | null; old: boolean; datasets: number; announced: number | null; resources: number; looked_at: number; building: boolean; done: number; to_do: number };
type OpenData = CatalogueState & { taken_in: number; enabled: boolean };

interface ToolsServer {
  build_open_data: Action<{}, OpenData>;
  open_data: Action<{}, OpenData>;
  take_in_open_data: Action<{}, { added: number; changed: number; kept: number; removed: number }>;
  forget_open_data: Action<{}, { forgotten: number }>;
  forget_agreement: Action<{ id: string }, ToolsReply>;
  switch_tool: Action<{ name: string; on: boolean }, ToolsReply>;
  tools: Action<{}, ToolsReply>;
  try_tool: Action<{ name: string; arguments: Record<string, unknown> }, ToolOutcome>;
}

/* -- system ---------------------------------------------------------------------------------- */
type State = "green" | "amber" | "red";
type SystemFinding = { check: string; name: string; warning: string | null; state: State; what: string; why: string | null; remedy: string | null };
type DependencyRow = { name: string; breaker: "closed" | "open" | "half_open"; calls: number; failed: number; refused: number; last: number; p50: number; p95: number };
type WorkRow = { kind: string; user_id: string; about: string | null; mine: boolean; since: number; waits: boolean };
type UpkeepDone = { at: number; looked_at: number; found: number; changed: number };
type Upkeep = { check: UpkeepDone | null; promotion: UpkeepDone | null };
type Pause = { at: number; seconds: number; where: string };
type StoppedWork = { at: number; name: string; seconds: number };
type Responsiveness = { longest: number; pauses: Pause[]; stopped: StoppedWork[] };
type SystemReply = {
  may_change: boolean;
  user: string;
  state: State;
  parts: SystemFinding[];
  storage: StorageUse | null;
  called: DependencyRow[] | null;
  responsiveness: Responsiveness | null;
  features: FeatureRow[] | null;
  upkeep: Upkeep | null;
  backed_up: number | null;
  under_way: WorkRow[];
};
type Times = { count: number; p50: number; p95: number; p99: number };
type FigureDay = {
  day: string;
  answered: number;
  failed: number;
  whole: Times;
  first_event: Times;
  first_token: Times;
  tokens_in: number;
  tokens_out: number;
  cost: number;
  instead: number;
  promotions: number;
  repairs: number;
  tools: number;
  tool_failures: number;
  tiers: Record<string, number>;
  bytes: number | null;
};
type FiguresReply = {
  days: FigureDay[];
  answers: Record<"first_event" | "first_token" | "whole", Times>;
  steps: (Times & { name: string; label: string })[];
  tool_calls: Record<string, number>;
  of_everyone: boolean;
};
type ErrorRow = {
  at: number;
  run_id: string;
  kind: "question" | "ingestion";
  user_id: string;
  mine: boolean;
  asked: string | null;
  conversation_id: string | null;
  document_id: string | null;
  category: string;
  what: string;
  why: string;
  remedy: string;
};
type LoggedRow = { at: number; module: string; text: string; run_id: string | null };
type ConsistencyReply = { checked: number; missing: number; texts: number; payload: number; vectors: number; orphaned: number; repaired: number; differences: number };
type RebuildingState = {
  active: boolean;
  last: { state: "running" | "paused" | "completed" | "rolled_back"; previous: string | null; copied: number; total: number; updated_at: number; keep_until: number | null } | null;
};
type BackupRow = { name: string; by: "backup" | "scheduled" | "received"; of: string | null; made_at: number; bytes: number };
type Counts = { total: number; added: number; replaced: number; skipped: number };
type RestoreReply = { summary: { kinds: Record<string, Counts> }; told: string };
type WhoseBackup = { everyone: boolean; person?: string };

type FeatureRow = { name: string; title: string; hides: string; setting: string; on: boolean; fixed: boolean; notice: string | null };

interface SystemServer {
  audit: Action<SoughtEntries, { entries: AuditEntry[]; more: boolean; everybody: boolean }>;
  back_up: Action<WhoseBackup, { backup: BackupRow }>;
  backups: Action<{}, { backups: BackupRow[] }>;
  check: Action<{}, ConsistencyReply>;
  doctor: Action<{}, { findings: SystemFinding[] }>;
  errors: Action<{}, { errors: ErrorRow[]; logged: LoggedRow[] | null }>;
  features: Action<{}, { features: FeatureRow[] }>;
  figures: Action<{ days: number }, FiguresReply>;
  switch_feature: Action<{ name: string; on: boolean }, { features: FeatureRow[] }>;
  preview: Action<WhoseBackup & { backup: string }, RestoreReply>;
  promote_memory: Action<{ dry_run: boolean }, Due>;
  receive: Action<{ path: string }, { backup: BackupRow }>;
  reindex: Action<{}, RebuildingState>;
  reindex_pause: Action<{}, RebuildingState>;
  reindex_promote: Action<{}, RebuildingState>;
  reindex_resume: Action<{}, RebuildingState>;
  reindex_roll_back: Action<{}, RebuildingState>;
  reindex_status: Action<{}, RebuildingState>;
  repair: Action<{}, ConsistencyReply>;
  restore: Action<WhoseBackup & { backup: string }, RestoreReply>;
  system: Action<{}, SystemReply>;
}

/* -- the viewer, which requests by address --------------------------------------------------- */
type Box = [number, number, number, number];
type Marks = { cell?: Box[]; quote?: Box[]; passage?: Box[] };
type Heading = { title: string; level: number; page: number | null };
type DocumentView = {
  id: string;
  title: string;
  filename: string;
  kind: "pages" | "reading";
  pages: number;
  sizes: [number, number][];
  labels: (string | null)[];
  outline: Heading[];
  tables: number;
};
type Place = { page?: number | null; found: "quote" | "passage" | "nothing"; marks: Record<number, Marks>; passage: string; table?: number | null; cell?: string };
/** A match of a search: on pages as the server reports it, in a text its own node. */
type RowHit = { dataset: string; row: number };
type SearchHit = { item_id?: string; page?: number | null; before: string; match: string; after: string; node?: Element } & Partial<RowHit>;
type SearchHits = { hits: SearchHit[]; total: number; rows?: { total: number; rows: SearchHit[] } };
type TableRow = { number: number; caption: string | null; sheet: string | null; page: number | null };
