import * as z from "zod";

/** A tool as the pages show it. Schemas are JSON Schema 2020-12, as clients of the tool server see them. */
export const mcpToolSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  input: z.record(z.string(), z.unknown()),
  read_only: z.boolean(),
  destructive: z.boolean(),
  idempotent: z.boolean(),
  open_world: z.boolean(),
  /** Capability of its models (`chat`, `image`, …); null for tools without a model. Such tools cost money. */
  capability: z.string().nullable(),
});
export type McpTool = z.infer<typeof mcpToolSchema>;

/** A call of a tool, live or over. Times are Unix milliseconds, money 10⁻⁹ USD. */
export const mcpCallSchema = z.object({
  /** The request id, as in receipts. */
  id: z.string(),
  at: z.number().int(),
  tool: z.string(),
  /** Id of the local key. */
  key: z.string(),
  /** The client's own name. */
  client: z.string(),
  /** Requested model; null for tools without one. */
  model: z.string().nullable(),
  status: z.enum(["running", "done", "failed", "cancelled"]),
  /** The error's code when it failed. */
  code: z.string().nullable(),
  /** How long it took; null while it runs. */
  ms: z.number().nullable(),
  /** Cost; null while it runs, and if it is unknown. 0 if it is free. */
  nano: z.number().int().nonnegative().nullable(),
  sandbox: z.boolean(),
  /** The newest progress message; null without one. */
  progress: z.string().nullable(),
});
export type McpCall = z.infer<typeof mcpCallSchema>;

export const mcpViewSchema = z.object({
  url: z.string(),
  /** Newest first. */
  protocol_versions: z.array(z.string()),
  tools: z.array(mcpToolSchema),
  /** Newest first; at most 200 calls of this run. */
  calls: z.array(mcpCallSchema),
  /** Sessions of clients that are open now. */
  sessions: z.number().int().nonnegative(),
});
export type McpView = z.infer<typeof mcpViewSchema>;

const trialName = z.string().min(1).max(100);
export const cancelTrialSchema = z.object({ trial: trialName }).strict();

/** A call from the page's form, on behalf of one of the owner's keys. */
export const tryToolSchema = z
  .object({
    key: z.string().min(1).max(100),
    tool: z.string().min(1).max(128),
    arguments: z.record(z.string(), z.unknown()),
    /** Estimates the cost without making the call. */
    quote: z.boolean().optional(),
    /** The page's own name for this call, by which it can be cancelled. */
    trial: trialName.optional(),
  })
  .strict();
export type TryTool = z.infer<typeof tryToolSchema>;

/** A tool's result, as a client of the tool server would have got it. */
export const triedToolSchema = z.object({
  is_error: z.boolean(),
  /** Content blocks of the protocol: text, image, audio, resource_link, resource. */
  content: z.array(z.looseObject({ type: z.string() })),
  structured: z.record(z.string(), z.unknown()).nullable(),
  /** The error's code when it failed. */
  code: z.string().nullable(),
  /** Whether the owner ended it. */
  cancelled: z.boolean(),
  /** Id as in receipts. */
  request_id: z.string(),
  /** Billed amount in 10⁻⁹ USD, null without a known price. Absent: nothing was billed yet. */
  spent: z.object({ nano: z.number().int().nonnegative().nullable(), sandbox: z.boolean() }).nullable(),
});
export type TriedTool = z.infer<typeof triedToolSchema>;
