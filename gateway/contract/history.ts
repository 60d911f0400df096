import * as z from "zod";
import { none, operation, slowOperation, type ControlOperation } from "./control-operation.ts";

/**
 * Usage of coding agents outside Postern, imported from the logs that they keep on this machine, priced as the API sells it,
 * and kept apart from Postern's own receipts. Money is `…_nano`, 10⁻⁹ USD; times are Unix milliseconds.
 */

const count = z.number().int().nonnegative();
const moment = z.number().int();
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "expected a day as YYYY-MM-DD");
const model = z.string().min(1).max(512);

export const historyAgentSchema = z.enum(["claude-code", "codex"]);
export type HistoryAgent = z.infer<typeof historyAgentSchema>;

/** Sums over responses. `cached_input_tokens` and `cache_write_tokens` are part of the input, reasoning of the output. */
export const historyTotalsSchema = z.object({
  requests: count,
  /** Requests among them by sub-agents. */
  subagent_requests: count,
  input_tokens: count,
  cached_input_tokens: count,
  cache_write_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
  /** Cost at API prices, however they were paid. */
  nano: count,
  /** Requests to models without a known price: their cost is not in `nano`. */
  unpriced_requests: count,
});
export type HistoryTotals = z.infer<typeof historyTotalsSchema>;

/** Figures of the logs of one agent in one folder. */
export const historySourceSchema = z.object({
  agent: historyAgentSchema,
  folder: z.string(),
  /** Logs in it, and those of them with lines that were not imported before. */
  logs: count,
  new_logs: count,
  bytes: count,
  /** Sessions, days and responses of what is new. */
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
  new_totals: historyTotalsSchema,
  /** The part of it that went through Postern, by the ids of its receipts: it is in no other sum. */
  through_postern: historyTotalsSchema,
  /** Whether every receipt of Postern could be looked at for it: a million at the most. */
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
  /** The preview or import under way. */
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
  /** Lines of it that were damaged: another import takes them from the logs, where those are still there. */
  damaged: count,
});
export type HistoryView = z.infer<typeof historyViewSchema>;

const folders = z
  .object({
    /** Agents' folders to look in instead, by their full paths: `~/.claude` and `~/.codex` of another place. */
    folders: z.array(z.string().min(1).max(4_096)).max(50).optional(),
  })
  .strict();

const period = {
  /** Inclusive days in `zone`; from the first that is known to today. */
  since: day.optional(),
  until: day.optional(),
  /** IANA name; UTC without one. */
  zone: z.string().max(64).optional(),
};

export const historyGroupSchema = z.enum(["day", "model", "project", "session", "agent"]);
export type HistoryGroup = z.infer<typeof historyGroupSchema>;

export const historyUsageInputSchema = z
  .object({
    ...period,
    agent: historyAgentSchema.optional(),
    by: historyGroupSchema.optional(),
    /** How many groups are listed. */
    limit: z.coerce.number().int().min(1).max(5_000).optional(),
    /** `true`: what went through Postern is among it, as other programs count it. */
    all: z.enum(["true", "false"]).optional(),
  })
  .strict();

export const historyRowSchema = z.object({
  /** The day, model, folder, session's id or agent. */
  group: z.string(),
  /** The project of a session. */
  project: z.string().nullable(),
  agent: historyAgentSchema.nullable(),
  from: moment,
  to: moment,
  totals: historyTotalsSchema,
});
export type HistoryRow = z.infer<typeof historyRowSchema>;

export const historyUsageSchema = z.object({
  since: day,
  until: day,
  total: historyTotalsSchema,
  /** The part that went through Postern in this time: it has receipts, and is not in `total` unless that was asked for. */
  through_postern: historyTotalsSchema,
  /** The most expensive first, then those with the most tokens; days in order. */
  data: z.array(historyRowSchema),
  /** How many more groups there are than are listed. */
  more_groups: count,
  /** Every day of the time with something in it, and what each model has in them: the most expensive models, `null` all others. */
  days: z.array(day),
  series: z.array(z.object({ model: z.string().nullable(), nano: z.array(count), tokens: z.array(count) })),
});
export type HistoryUsage = z.infer<typeof historyUsageSchema>;

/** The usage to price otherwise. */
export const whatIfInputSchema = z
  .object({
    ...period,
    /** Imported usage, Postern's own receipts of conversations, or both; both without it. */
    of: z.enum(["imported", "receipts", "both"]).optional(),
    /** The model that replaces those that `models` does not name; absent: they stay as they are. */
    to: model.optional(),
    /** Replacement models by the used model. */
    models: z.record(model, model).optional(),
  })
  .strict();
export type WhatIfInput = z.infer<typeof whatIfInputSchema>;

/**
 * Notes on a row's price. `cached_at_full`: the other model's price of cached tokens is not known, they are priced as new
 * ones. `writes_as_input`: it sells no cache writes, so they count as input.
 */
export const whatIfNoteSchema = z.enum(["cached_at_full", "writes_as_input"]);
export type WhatIfNote = z.infer<typeof whatIfNoteSchema>;

export const whatIfRowSchema = z.object({
  of: z.enum(["imported", "receipts"]),
  model: z.string(),
  /** The replacement; the same model if it stays as it is. */
  to: z.string(),
  requests: count,
  input_tokens: count,
  cached_input_tokens: count,
  cache_write_tokens: count,
  output_tokens: count,
  /** The actual and the alternative cost of the requests with both prices. */
  nano: count,
  what_if_nano: count,
  /** Requests of which one of the two is not known. */
  unpriced_requests: count,
  notes: z.array(whatIfNoteSchema),
  /** Requests whose prompt is longer than what the other model takes. */
  too_long: count,
});
export type WhatIfRow = z.infer<typeof whatIfRowSchema>;

/**
 * How two models count the same text. `same`: alike. `ratio`: `low` to `high` times as many tokens, as `source` says.
 * `unknown`: no one has said; more or fewer.
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
  /** False where older receipts were not looked at, because they are too many. */
  complete: z.boolean(),
});
export type WhatIf = z.infer<typeof whatIfSchema>;

export const historyOperations = {
  history: operation("GET", "/control/history", none, historyViewSchema),
  /** Reads the logs and says what an import would bring. Nothing is kept. */
  previewHistory: slowOperation("POST", "/control/history/preview", folders, historyImportSchema),
  /** The same, and keeps it. What was imported before is not counted again. */
  importHistory: slowOperation("POST", "/control/history/import", folders, historyImportSchema),
  /** Forgets everything that was imported. The agents' own logs stay. */
  removeHistory: operation("DELETE", "/control/history", none, historyViewSchema),
  historyUsage: operation("GET", "/control/history/usage", historyUsageInputSchema, historyUsageSchema),
  /** Computes the cost of a period on other models. */
  whatIf: operation("POST", "/control/history/what-if", whatIfInputSchema, whatIfSchema),
} as const satisfies Record<string, ControlOperation>;
