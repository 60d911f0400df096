import * as z from "zod";
import { connectionTestSchema } from "./connection.ts";
import { largeOperation, none, operation, type ControlOperation } from "./control-operation.ts";
import { importerIdSchema } from "./imports.ts";

/**
 * Changes of a whole set-up: previewed, applied as one transaction, undone as a whole. Files (`postern config`) and
 * imports (import-operations.ts) use the same mechanism.
 */

export const setupKindSchema = z.enum([
  "connection",
  "key",
  "route",
  "alias",
  "price",
  "budget",
  "setting",
  "search_key",
  "webhook_secret",
  "telemetry_headers",
  "metrics_key",
]);
export type SetupKind = z.infer<typeof setupKindSchema>;

/** A record that is added, changed or removed. Values are texts for people: shortened, secrets as their ends. */
export const setupChangeSchema = z.object({
  kind: setupKindSchema,
  name: z.string(),
  action: z.enum(["add", "change", "remove"]),
  /** Values before and after, by field; null: nothing. Only fields that change. */
  fields: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
});
export type SetupChange = z.infer<typeof setupChangeSchema>;

/** A record that cannot be applied as requested. A file with a conflict is not applied at all. */
export const setupConflictSchema = z.object({
  kind: setupKindSchema,
  name: z.string(),
  /** The conflict, and what to do about it. */
  message: z.string(),
  /** Chain of a route that would replace a served name, which needs explicit consent (`take_over`). */
  takes_over: z.array(z.string()).optional(),
});
export type SetupConflict = z.infer<typeof setupConflictSchema>;

/** A variable or a file of this machine that a set-up reads. */
export const setupReadSchema = z.object({
  /** `GITHUB_TOKEN`, or `file:/path`. */
  name: z.string(),
  /** The base URL to which its value would be sent, or the section of the set-up that it stays in. */
  goes_to: z.string(),
});
export type SetupRead = z.infer<typeof setupReadSchema>;

/** The changes of a set-up. Nothing is written. */
export const setupPlanSchema = z.object({
  /** Changes in display order; empty if everything is as it should be already. */
  changes: z.array(setupChangeSchema),
  conflicts: z.array(setupConflictSchema),
  /** Variables and files that the set-up reads, with their targets; the author chose these, so check them first. */
  reads: z.array(setupReadSchema),
  /** Apps that the set-up names and that are not connected now: connecting them writes their files, so it is left out. */
  unconnected_clients: z.array(z.string()),
  /** Says which changes, of which state, were shown: an application to another state is refused. */
  token: z.string(),
});
export type SetupPlan = z.infer<typeof setupPlanSchema>;

/** Test of a new provider key before it is stored. */
export const setupKeyTestSchema = connectionTestSchema.extend({
  connection: z.string(),
  /** `sk-ab…wxyz`. */
  hint: z.string(),
  /** Whether it was stored. A refused key is not, unless requested. */
  taken: z.boolean(),
});
export type SetupKeyTest = z.infer<typeof setupKeyTestSchema>;

/** A set-up that was applied and can be undone. */
export const appliedSetupSchema = z.object({
  id: z.string(),
  /** Unix milliseconds. */
  at: z.number().int(),
  /** The source program; `file` for a configuration file, `followed` for one that Postern follows by itself. */
  source: z.enum(["file", "followed", ...importerIdSchema.options]),
  /** How many records it has added, changed or removed. */
  records: z.number().int().nonnegative(),
});
export type AppliedSetup = z.infer<typeof appliedSetupSchema>;

export const setupResultSchema = z.object({
  /** Applied set-up, which can be undone; null if nothing changed. */
  applied: appliedSetupSchema.nullable(),
  changes: z.array(setupChangeSchema),
  /** Records that were left out, with the reason. */
  conflicts: z.array(setupConflictSchema),
  tests: z.array(setupKeyTestSchema),
  /** Local keys that were made: shown this once. */
  created_keys: z.array(z.object({ name: z.string(), secret: z.string() })),
  unconnected_clients: z.array(z.string()),
});
export type SetupResult = z.infer<typeof setupResultSchema>;

/** The changes that an undo would make. */
export const setupUndoPlanSchema = z.object({
  applied: appliedSetupSchema,
  changes: z.array(setupChangeSchema),
  /** Records that were changed since: they stay as they are. */
  left: z.array(z.object({ kind: setupKindSchema, name: z.string() })),
  token: z.string(),
});
export type SetupUndoPlan = z.infer<typeof setupUndoPlanSchema>;

const MOST_CHARACTERS = 4_000_000;
const passphrase = z.string().min(1).max(1_000);

/** A configuration file as it lies on a disk. */
const fileSchema = z.object({
  text: z.string().max(MOST_CHARACTERS),
  /** Opens its `secrets`. */
  passphrase: passphrase.optional(),
  /** Values of `${…}` references, by the text between the braces. The server resolves none itself. */
  values: z.record(z.string(), z.string().max(10_000)).optional(),
  /** Whether records that the file does not contain are removed, in its sections. */
  prune: z.boolean().optional(),
});
export type SetupFile = z.infer<typeof fileSchema>;

/** A caller's confirmation of a preview. */
export const confirmationSchema = z.object({
  token: z.string().max(200),
  /** Whether new provider keys are tested; defaults to true. */
  test_keys: z.boolean().optional(),
  /** Whether keys that their provider refuses are saved all the same. */
  keep_refused: z.boolean().optional(),
});
export type SetupConfirmation = z.infer<typeof confirmationSchema>;

const ok = z.object({ ok: z.literal(true) });
const token = z.object({ token: z.string().max(200) }).strict();

export const setupOperations = {
  /**
   * Exports the set-up as a file. Without a passphrase its secrets are omitted. A page with a passphrase also needs a
   * consent token from the `postern` command, or from the desktop app after its own confirmation.
   */
  exportSetup: operation(
    "POST",
    "/control/setup/export",
    z.object({ passphrase: passphrase.optional(), page_token: z.string().max(200).optional() }).strict(),
    z.object({ text: z.string() }),
  ),
  previewSetup: largeOperation("POST", "/control/setup/preview", fileSchema.strict(), setupPlanSchema),
  applySetup: largeOperation(
    "POST",
    "/control/setup/apply",
    fileSchema.extend(confirmationSchema.shape).strict(),
    setupResultSchema,
  ),
  /** Lists set-up files and imports that can be undone, newest first. */
  listAppliedSetups: operation("GET", "/control/setup", none, z.object({ data: z.array(appliedSetupSchema) })),
  planSetupUndo: operation("POST", "/control/setup/:id/undo-plan", none, setupUndoPlanSchema),
  /** Puts everything back that was not changed since. */
  undoSetup: operation("POST", "/control/setup/:id/undo", token, setupUndoPlanSchema),
  /** It stays, and can no longer be undone: replaced provider keys are deleted for good. */
  forgetSetup: operation("DELETE", "/control/setup/:id", none, ok),
} as const satisfies Record<string, ControlOperation>;
