import * as z from "zod";
import { usdUpTo } from "./bounds.ts";
import { MOST_USD } from "./money.ts";

/** Apps that Postern can connect. */
export const clientIdSchema = z.enum([
  "claude-code",
  "codex",
  "claude-desktop",
  "vs-code",
  "cursor",
  "opencode",
  "openclaw",
  "hermes",
  "cline",
  "kilo-code",
  "pi",
  "factory-droid",
  "qwen-code",
  "grok-build",
  "goose",
  "junie",
  "zed",
  "continue",
  "raycast",
  "cherry-studio",
  "gemini-cli",
  "copilot-cli",
  "open-webui",
  "langchain",
  "openai-sdk",
  "anthropic-sdk",
]);
export type ClientId = z.infer<typeof clientIdSchema>;

/** The part of Postern that a client is connected to: the models of /v1, the tools of /mcp. */
export const clientPartSchema = z.enum(["models", "mcp"]);
export type ClientPart = z.infer<typeof clientPartSchema>;

const model = z.string().trim().min(1).max(200);

/** Max models that can be chosen for an app's picker. */
const MAX_OFFERED = 500;

/**
 * Model ids by the client's own slots: `main` for most, three classes for Claude Code. Omitted slots keep the client's
 * defaults.
 */
export const clientModelsSchema = z
  .object({
    main: model.optional(),
    opus: model.optional(),
    sonnet: model.optional(),
    haiku: model.optional(),
    /** Further models of its picker; absent for all chat models that are served. */
    offered: z.array(model).max(MAX_OFFERED).readonly().optional(),
  })
  .strict();
export type ClientModels = z.infer<typeof clientModelsSchema>;

/** Ways in which requests would come back to Postern, or go through it twice. */
export const clientLoopSchema = z.object({
  kind: z.enum(["connection", "connection-relay", "client-relay", "client-connection"]),
  address: z.string(),
  /** Name of the connection, if the client has one. */
  name: z.string().optional(),
  /** The program in between. */
  relay: z.string().optional(),
});
export type ClientLoop = z.infer<typeof clientLoopSchema>;

/** Current state of a client's file. */
export const clientFileSchema = z.object({
  parts: z.array(clientPartSchema),
  path: z.string(),
  /** `written`: as Postern wrote it. `changed`: changed since. `gone`: it was written and then removed. */
  state: z.enum(["missing", "there", "written", "changed", "gone", "refused"]),
  /** Why it cannot be written, as a sentence. */
  reason: z.string().nullable(),
});
export type ClientFileView = z.infer<typeof clientFileSchema>;

/** A real call, as the client would make it. */
export const clientCheckSchema = z.object({
  part: clientPartSchema,
  ok: z.boolean(),
  at: z.number().int(),
  ms: z.number().int(),
  /** The endpoint of the call, such as `POST /v1/messages`. */
  call: z.string(),
  model: z.string().nullable(),
  /** 10⁻⁹ USD; null if unknown. */
  nano: z.number().int().nonnegative().nullable(),
  sandbox: z.boolean(),
  /** The receipt's id; null without a receipt. */
  request_id: z.string().nullable(),
  /** The response or the error. Text of models and providers: shown, never followed. */
  message: z.string(),
});
export type ClientCheck = z.infer<typeof clientCheckSchema>;

export const manualTextSchema = z.object({ label: z.string(), text: z.string() });

export const clientViewSchema = z.object({
  id: clientIdSchema,
  name: z.string(),
  /** The parts that Postern can write into a file; empty for clients that need manual setup. */
  writes: z.array(clientPartSchema),
  /** Model slots that it requests by name. */
  slots: z.array(z.enum(["main", "opus", "sonnet", "haiku"])),
  /** Whether the app's model picker is filled with a list of models. */
  has_picker: z.boolean(),
  /** The key is not in the file of its models: the person puts it in. */
  key_elsewhere: z.boolean(),
  /** Whether its files or their folders are there. */
  found: z.boolean(),
  files: z.array(clientFileSchema),
  /** The client's current target, when that is not this Postern. */
  calls: z.string().nullable(),
  connected: z
    .object({
      at: z.number().int(),
      parts: z.array(clientPartSchema),
      models: clientModelsSchema,
      /** Null when the key was revoked. */
      key: z.object({ id: z.string(), name: z.string(), hint: z.string(), state: z.string() }).nullable(),
      /** This month, 10⁻⁹ USD, and how many calls. */
      nano: z.number().int().nonnegative(),
      sandbox_nano: z.number().int().nonnegative(),
      requests: z.number().int().nonnegative(),
      /** Requests without a known price, included in the count; their cost is not in `nano`. */
      unpriced_requests: z.number().int().nonnegative(),
      checks: z.array(clientCheckSchema),
      /** The models of its picker are not those that are served now. */
      is_outdated: z.boolean(),
    })
    .nullable(),
  loops: z.array(clientLoopSchema),
  /** Text for manual setup. The key is `YOUR_KEY`. */
  manual: z.array(manualTextSchema),
});
export type ClientView = z.infer<typeof clientViewSchema>;

export const clientsViewSchema = z.object({
  data: z.array(clientViewSchema),
  /** The machine on which Postern runs, which has these files. */
  machine: z.string(),
  /** Loops among Postern's own connections. */
  loops: z.array(clientLoopSchema),
});
export type ClientsView = z.infer<typeof clientsViewSchema>;

export const diffLineSchema = z.object({
  kind: z.enum(["same", "added", "removed"]),
  before: z.number().int().nullable(),
  after: z.number().int().nullable(),
  text: z.string(),
});

/** The planned change of one file. */
export const fileChangeSchema = z.object({
  path: z.string(),
  /** The target of a link, when the path is one: that file is written. */
  target: z.string().nullable(),
  /** `create` and `remove`: the whole file. */
  action: z.enum(["create", "change", "remove", "keep"]),
  lines: z.array(diffLineSchema),
  /** Settings that stay, because the user changed them. */
  kept: z.array(z.string()),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

export const clientPlanSchema = z.object({
  files: z.array(fileChangeSchema),
  key_name: z.string(),
  /** Says which state of the files this is about: an application of the plan to other files is refused. */
  token: z.string(),
  notes: z.array(z.enum(["other_key", "elsewhere", "readable_by_others", "linked"])),
});
export type ClientPlan = z.infer<typeof clientPlanSchema>;

/** The parts to connect, and their models. */
export const planClientSchema = z
  .object({ parts: z.array(clientPartSchema).min(1).max(2), models: clientModelsSchema })
  .strict();
export type PlanClient = z.infer<typeof planClientSchema>;

export const applyClientSchema = planClientSchema
  .extend({
    token: z.string().max(200),
    /** Monthly limit of the client's key in USD; null for none. */
    limit_usd: usdUpTo(MOST_USD).nullable().optional(),
    /** Keep the key to the chosen models. */
    only_these_models: z.boolean().optional(),
  })
  .strict();
export type ApplyClient = z.infer<typeof applyClientSchema>;

export const appliedClientSchema = z.object({
  client: clientViewSchema,
  /** The new key, shown only here, for clients that do not read it from their file. */
  secret: z.string().nullable(),
  /** Settings link of an app without a file; it contains the key. Null for other apps. */
  link: z.string().nullable(),
});
export type AppliedClient = z.infer<typeof appliedClientSchema>;
