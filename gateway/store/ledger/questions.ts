import type { HistoryView } from "../../contract/history.ts";
import type { Sort } from "../../contract/list.ts";
import type { Search } from "../../contract/matches-request.ts";
import type { Totals } from "../../contract/totals.ts";
import type { UsageGroup } from "../../contract/usage.ts";
import type { SessionView } from "../../contract/sessions.ts";
import type { ListTasks } from "../../contract/tasks.ts";
import type { HISTORY_UNITS, CountedEntry } from "../../core/history/history-entry.ts";
import type { Price } from "../../core/models/model.ts";
import type { MediaLimits } from "../../core/media/media-retention.ts";
import type { MediaFilter } from "../../core/media/media-filter.ts";
import type { TaskEntry, TaskPlace } from "../../core/tasks/task-entry.ts";
import type { ActivityCount } from "../../core/usage/activity-buckets.ts";
import type { SummedHours } from "../../core/usage/hour-sums.ts";
import type { BadRange } from "../disk/line.ts";

/** Questions to the index with their responses. Each name begins with that of its table. */
export interface Questions
  extends ReceiptQuestions, SessionQuestions, TaskQuestions, MediaQuestions, ImportedQuestions {}

export interface ResponseTo<N extends keyof Questions> {
  readonly response: Questions[N]["response"];
  /** Progress of the table's rebuild in percent; null if complete. */
  readonly rebuilding: number | null;
}

/** The parts of a log file that are in no table. */
export interface FileDamage {
  readonly table: string;
  readonly name: string;
  /** Bytes that are no lines. */
  readonly ranges: readonly Pick<BadRange, "start" | "end">[];
  /** Lines that this version cannot use. */
  readonly unusable: number;
  /** Whether the file is missing, or has changed since it was read. */
  readonly lost: "gone" | "changed" | null;
}

/** A page of video tasks, those of the document and of the archive. */
export interface ListTaskRows extends Pick<ListTasks, "q" | "status" | "key" | "since" | "until" | "min_nano"> {
  /** The tasks of the document; their prompts are empty without `q`. */
  readonly live: readonly TaskEntry[];
  /** Ids under which tasks may name the model. */
  readonly models?: readonly string[] | undefined;
  /** Tasks that their clients deleted are left out. */
  readonly isListed: boolean;
  /** Tasks without the figure come last, and those of one figure in the order of their submission. */
  readonly sort: "created_at" | "finished_at" | "nano";
  readonly order: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
  /** The last task of the page before, in the order of submission. */
  readonly after: { readonly created_at: number; readonly id: string } | null;
}

/** Record of a task: in the document if it has no place. */
export interface FoundTask {
  readonly id: string;
  readonly place: TaskPlace | null;
}

export interface ListedTasks {
  readonly tasks: readonly FoundTask[];
  /** How many match, on all pages. */
  readonly total: number;
}

/** Archived tasks by an id (ours before the provider's), by the provider's or by the name of their request; the newest first. */
export interface FindTasks {
  readonly by: "id" | "provider_id" | "name";
  readonly value: string;
  /** Null: of any. */
  readonly key: string | null;
  readonly connection: string | null;
}

/** State of the library, passed with each query. */
interface AboutMedia {
  /** Ids of deleted results. */
  readonly hidden: readonly string[];
  /** Folders whose sidecars changed since the response before. */
  readonly changed: readonly string[];
}

/** A page of the library, the newest result first. */
export interface ListMediaRows extends MediaFilter, AboutMedia {
  readonly limit: number;
  /** The `next` cursor of the previous page. */
  readonly before: MediaPlace | null;
  /** Results to pass over, counted from there. */
  readonly offset: number;
}

/** Cursor of a page: a result's place in the list. */
export interface MediaPlace {
  readonly place: number;
  readonly id: string;
}

export interface ListedMediaRows {
  readonly ids: readonly string[];
  /** Null at the end. */
  readonly next: MediaPlace | null;
  /** How many match, on all pages. */
  readonly total: number;
  /** Some ids whose sidecars are damaged or missing. */
  readonly odd: readonly string[];
}

/** Finds results that exceed the age or size limits. */
export interface FindOutdated extends MediaLimits, AboutMedia {
  /** Unix ms. */
  readonly now: number;
}

export interface OutdatedMedia {
  readonly ids: readonly string[];
  /** Number of outdated results that are kept because their dates are not trusted. */
  readonly retained: number;
  /** Since when dates are believed, Unix ms; null without a limit by age. */
  readonly since: number | null;
}

/** The state of the imported usage. */
export interface ImportedView {
  /** The one that was used first comes first. */
  readonly agents: HistoryView["agents"];
  readonly models: readonly string[];
  /** Time of the oldest response, Unix ms. */
  readonly first: number | null;
  /** Lines of the log that are damaged. */
  readonly damaged: number;
}

/** A pass over imported usage that did not go through Postern, the oldest first. */
export interface PassImported {
  /** Unix ms; `to` left out. */
  readonly from: number;
  readonly to: number;
  readonly search: Search;
  /** Ids of models by their names in logs. */
  readonly ids: Readonly<Record<string, string>>;
  /** The last row of the previous step. */
  readonly after: { readonly at: number; readonly key: string } | null;
  readonly limit: number;
}

export interface PassedImported {
  readonly entries: readonly CountedEntry[];
  /** Null at the end. */
  readonly next: PassImported["after"];
}

/** Sums of imported usage that did not go through Postern. */
export interface SumImportedHours extends SumHours {
  /** Ids of models by their names in logs. */
  readonly ids: Readonly<Record<string, string>>;
  /** Prices by the names in logs; null: unknown. */
  readonly prices: Readonly<Record<string, Price | null>>;
}

interface ImportedQuestions {
  readonly "imported.view": { readonly ask: object; readonly response: ImportedView };
  readonly "imported.hours": { readonly ask: SumImportedHours; readonly response: SummedHours };
  readonly "imported.pass": { readonly ask: PassImported; readonly response: PassedImported };
}

interface MediaQuestions {
  readonly "media.list": { readonly ask: ListMediaRows; readonly response: ListedMediaRows };
  readonly "media.outdated": { readonly ask: FindOutdated; readonly response: OutdatedMedia };
}

interface TaskQuestions {
  readonly "tasks.list": { readonly ask: ListTaskRows; readonly response: ListedTasks };
  readonly "tasks.find": { readonly ask: FindTasks; readonly response: readonly FoundTask[] };
}

/** The index as its readers ask it. */
export interface LedgerReader {
  /**
   * Queries a table. Earlier writes are included, unless it is being rebuilt.
   * @throws Error if the logs cannot be read, or the store is closed
   */
  ask<N extends keyof Questions>(name: N, question: Questions[N]["ask"]): Promise<ResponseTo<N>>;
  /** Sets the listener for damage that the index finds in the files of a table. It must not throw. */
  onDamage(table: string, listener: (damage: FileDamage) => Promise<void>): void;
}

/** A page of receipts. */
export interface ListReceipts {
  readonly search: Search;
  /** The newest first without one. */
  readonly sort: Sort | null;
  readonly limit: number;
  /** The last one of the page before. */
  readonly before: ListPlace | null;
  /** Only those with a higher number. */
  readonly settledAfter: number;
  /** Recordings of calls before this time were not searched: the page ends before the first of them. */
  readonly recordedFrom: number;
}

/** Cursor of a page: the place of its last receipt, and its sort value. */
export interface ListPlace {
  readonly place: number;
  readonly figure: number | null;
}

export interface ListedReceipts {
  /** Array of receipts as JSON, which the querying thread parses faster than it receives objects. */
  readonly json: string;
  /** Null at the end of the list. */
  readonly next: ListPlace | null;
}

/** Counts receipts in time buckets. */
export interface CountActivity {
  readonly search: Search;
  /** Start of the first bucket, and the bucket length, in ms. */
  readonly from: number;
  readonly length: number;
  /** How many there are. */
  readonly buckets: number;
}

/** A pass over receipts, some at a time, the newest first. */
export interface PassReceipts {
  readonly search: Search;
  readonly columns: readonly PassedColumn[];
  readonly limit: number;
  /** The place of the last receipt that was passed. */
  readonly before: number | null;
}

/** Sums of UTC hours by one group, the hour of `to` left out. Unix ms. */
export interface SumHours {
  readonly from: number;
  readonly to: number;
  readonly by: UsageGroup;
  /** The figures of each row, in their order. */
  readonly sums: readonly (keyof Totals)[];
  readonly search: Search;
}

/** Columns that a pass may ask for. */
export type PassedColumn =
  | "id"
  | "at"
  | "endpoint"
  | "model"
  | "sandbox"
  | "nano"
  | "tokens"
  | "output_tokens"
  | "fees"
  | (typeof HISTORY_UNITS)[number];

export interface PassedReceipts {
  /** Column values in the requested order. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** Place to continue at; null at the end. */
  readonly next: number | null;
}

/** A page of sessions, the newest first. */
export interface ListSessionRows {
  readonly project?: string | undefined;
  readonly client?: string | undefined;
  readonly q?: string | undefined;
  readonly limit: number;
  /** The last one of the page before. */
  readonly before: SessionPlace | null;
}

export interface SessionPlace {
  readonly ended_at: number;
  readonly id: string;
}

export interface ListedSessions {
  readonly data: readonly SessionView[];
  /** Number of matching rows. */
  readonly total: number;
  readonly next: SessionPlace | null;
}

interface SessionQuestions {
  readonly "receipts.sessions": { readonly ask: ListSessionRows; readonly response: ListedSessions };
  readonly "receipts.session": { readonly ask: { readonly id: string }; readonly response: SessionView | null };
}

interface ReceiptQuestions {
  readonly "receipts.list": { readonly ask: ListReceipts; readonly response: ListedReceipts };
  readonly "receipts.activity": { readonly ask: CountActivity; readonly response: readonly ActivityCount[] };
  readonly "receipts.pass": { readonly ask: PassReceipts; readonly response: PassedReceipts };
  readonly "receipts.hours": { readonly ask: SumHours; readonly response: SummedHours };
  /** The newest of an id, as JSON. */
  readonly "receipts.find": { readonly ask: { readonly id: string }; readonly response: string | null };
  /** When the oldest was settled. */
  readonly "receipts.oldest": { readonly ask: object; readonly response: number | null };
}
