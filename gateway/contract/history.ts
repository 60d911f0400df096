import * as z from "zod";
import { totalsSchema } from "./totals.ts";
import { usageSourceSchema } from "./list.ts";
import { usageQuerySchema } from "./usage.ts";
import { none, operation, slowOperation, type ControlOperation } from "./control-operation.ts";

/**
 * Usage of coding agents outside Postern, imported from their logs on this machine, priced at API prices, and stored
 * separately from Postern's own receipts. Money is `…_nano`, 10⁻⁹ USD; times are Unix milliseconds.
 */

const count = z.number().int().nonnegative();
const moment = z.number().int();
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "expected a day as YYYY-MM-DD");
const model = z.string().min(1).max(512);

export const historyAgentSchema = z.enum([
  "claude-code",
  "codex",
  "gemini-cli",
  "qwen-code",
  "copilot-cli",
  "opencode",
  "goose",
]);
export type HistoryAgent = z.infer<typeof historyAgentSchema>;

/** Figures of the logs of one agent in one folder. */
export const historySourceSchema = z.object({
  agent: historyAgentSchema,
  folder: z.string(),
  /** Logs in it, and those of them with lines that were not imported before. */
  logs: count,
  new_logs: count,
  bytes: count,
  /** Sessions, days and responses of the new usage. */
  sessions: count,
  from: moment.nullable(),
  to: moment.nullable(),
  requests: count,
  tokens: count,
});
export type HistorySource = z.infer<typeof historySourceSchema>;

/** The result of an import, or its preview. */
export const historyImportSchema = z.object({
  sources: z.array(historySourceSchema),
  /** Newly counted usage; copies of the same response are counted once. */
  new_totals: totalsSchema,
  /** The part of it that went through Postern, by the ids of its receipts: it is in no other sum. */
  through_postern: totalsSchema,
  /** Whether all receipts of Postern were compared: a million at most. */
  receipts_complete: z.boolean(),
  lines: z.object({
    /** Lines with something to count, and all others. */
    read: count,
    other: count,
    /** Lines that are invalid JSON, and those that are longer than any response. */
    broken: count,
    too_long: count,
  }),
  /** Logs that could not be read, with why. */
  failed: z.array(z.object({ file: z.string(), message: z.string() })),
});
export type HistoryImport = z.infer<typeof historyImportSchema>;

/** The current state of the imported usage. */
export const historyViewSchema = z.object({
  /** Existing folders that are searched for logs by default. */
  folders: z.array(z.object({ agent: historyAgentSchema, folder: z.string() })),
  /** The preview or import in progress. */
  running: z
    .object({ what: z.enum(["preview", "import"]), logs: count, logs_done: count, bytes: count, bytes_done: count })
    .nullable(),
  agents: z.array(
    z.object({
      agent: historyAgentSchema,
      sessions: count,
      requests: count,
      from: moment,
      to: moment,
    }),
  ),
  /** Models of conversation that a time can be priced at: those of the catalog and those that are served. */
  models: z.array(z.string()),
  /** Size on the disk. */
  bytes: count,
  /** Number of damaged lines: another import reads them from the logs again, if these still exist. */
  damaged: count,
});
export type HistoryView = z.infer<typeof historyViewSchema>;

const folders = z
  .object({
    /** Folders of agents to read instead, as full paths: `~/.claude` and `~/.codex` in another location. */
    folders: z.array(z.string().min(1).max(4_096)).max(50).optional(),
  })
  .strict();

/** The usage to price otherwise. */
export const whatIfInputSchema = usageQuerySchema
  .extend({
    /** Substitute for models that `models` does not list; absent: they are unchanged. */
    to: model.optional(),
    /** Replacement models by the used model. */
    models: z.record(model, model).optional(),
  })
  .strict();

/**
 * Notes on a row's price. `cached_at_full`: the other model's price of cached tokens is not known, they are priced as new
 * ones. `writes_as_input`: it sells no cache writes, so they count as input.
 */
export const whatIfNoteSchema = z.enum(["cached_at_full", "writes_as_input"]);
export type WhatIfNote = z.infer<typeof whatIfNoteSchema>;

export const whatIfRowSchema = z.object({
  source: usageSourceSchema,
  model: z.string(),
  /** The replacement; the same model if it stays as it is. */
  to: z.string(),
  requests: count,
  input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  /** The actual and the alternative cost of the requests with both prices. */
  nano: count,
  what_if_nano: count,
  /** Requests of which one of the two is not known. */
  unpriced_requests: count,
  notes: z.array(whatIfNoteSchema),
  /** Requests whose prompt exceeds the other model's context. */
  too_long: count,
});
export type WhatIfRow = z.infer<typeof whatIfRowSchema>;

/**
 * How two models count the same text. `same`: equal. `ratio`: `low` to `high` times as many tokens, by `source`.
 * `unknown`: undocumented.
 */
export const tokenizerRelationSchema = z.object({
  from: z.string(),
  to: z.string(),
  relation: z.enum(["same", "ratio", "unknown"]),
  low: z.number().nullable(),
  high: z.number().nullable(),
  source: z.string().nullable(),
});
export type TokenizerRelation = z.infer<typeof tokenizerRelationSchema>;

export const whatIfSchema = z.object({
  since: day,
  until: day,
  rows: z.array(whatIfRowSchema),
  /** Sums of all rows. */
  nano: count,
  what_if_nano: count,
  unpriced_requests: count,
  tokenizers: z.array(tokenizerRelationSchema),
  /** False if older receipts were not compared, because there are too many. */
  complete: z.boolean(),
});
export type WhatIf = z.infer<typeof whatIfSchema>;

export const historyOperations = {
  history: operation("GET", "/control/history", none, historyViewSchema),
  /** Reads the logs and returns what an import would add. Nothing is stored. */
  previewHistory: slowOperation("POST", "/control/history/preview", folders, historyImportSchema),
  /** Imports and stores usage. Earlier imports are not counted again. */
  importHistory: slowOperation("POST", "/control/history/import", folders, historyImportSchema),
  /** Forgets everything that was imported. The agents' own logs stay. */
  removeHistory: operation("DELETE", "/control/history", none, historyViewSchema),
  /** Computes the cost of conversations on other models. */
  whatIf: operation("POST", "/control/usage/what-if", whatIfInputSchema, whatIfSchema),
} as const satisfies Record<string, ControlOperation>;
