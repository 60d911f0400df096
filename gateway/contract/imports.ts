import * as z from "zod";

/** Import of another program's set-up: what was found, and the outcome of each field. */

export const importerIds = [
  "claude-code-router",
  "cc-switch",
  "litellm",
  "cliproxyapi",
  "9router",
  "omniroute",
  "bifrost",
  "opencode",
  "continue",
  "zed",
  "env",
] as const;
export const importerIdSchema = z.enum(importerIds);
export type ImporterId = z.infer<typeof importerIdSchema>;

/** `taken`: unchanged. `changed`: converted. `left`: not imported. */
export const fieldFateSchema = z.enum(["taken", "changed", "left"]);

/**
 * Why a field is changed or left. The pages have a text for each. `not-supported`: Postern has no equivalent.
 * `own-address`: it points to the other program or to Postern itself. `login`: an account's session or OAuth token,
 * which only its own program may use. `secret-missing`: its secret is not in the files (an unset variable, a key store,
 * an unavailable encryption key). `unknown-provider`: its address is unknown. `endpoint`: a full endpoint URL in place
 * of a base URL. `renamed`: the name is taken or not allowed here. `unused`: nothing refers to it. `unreadable`: not a
 * valid value for the program itself. `weak`: a key short enough to be guessed. `refused`: excluded by the plan, with a
 * conflict that states why. `default`: Postern's own default.
 */
export const fieldReasonSchema = z.enum([
  "not-supported",
  "own-address",
  "login",
  "secret-missing",
  "unknown-provider",
  "endpoint",
  "renamed",
  "unused",
  "unreadable",
  "weak",
  "refused",
  "default",
]);
export type FieldReason = z.infer<typeof fieldReasonSchema>;

export const importedFieldSchema = z.object({
  /** Path of the field in the other program's file: `Providers[0].api_key`. */
  field: z.string(),
  /** The field's value, shortened, secrets masked. */
  value: z.string(),
  fate: fieldFateSchema,
  /** The result here, in short: `connection "deepseek"`, `route "claude-opus-5-5"`; absent if it is left. */
  becomes: z.string().optional(),
  reason: fieldReasonSchema.optional(),
});
export type ImportedField = z.infer<typeof importedFieldSchema>;
