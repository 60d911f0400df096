import * as z from "zod";

/** Taking over the set-up of another program: what was found, and what becomes of each of its fields. */

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

/** `taken`: as it was. `changed`: it becomes something else here. `left`: it is not taken over. */
export const fieldFateSchema = z.enum(["taken", "changed", "left"]);

/**
 * Why a field is changed or left. The pages have words for each in both languages.
 * `not-supported`: Postern has nothing like it. `own-address`: it leads to the other program or to Postern itself.
 * `login`: an account's session or OAuth token, which only its own program may use. `secret-missing`: its secret is not
 * in the files (a variable that is not set, a key store, encrypted with a key that is not here). `unknown-provider`: no
 * address is known for it. `endpoint`: a whole endpoint was written where Postern takes a base URL. `renamed`: the name
 * is taken or not allowed here. `unused`: nothing refers to it. `unreadable`: it is no value that the program itself
 * would understand. `weak`: a key that is short enough to be guessed. `refused`: the plan
 * leaves it out, and its conflicts say why. `default`: what Postern does anyway.
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
  /** The field's path in the other program's words: `Providers[0].api_key`. */
  field: z.string(),
  /** The field's value, shortened, secrets masked. */
  value: z.string(),
  fate: fieldFateSchema,
  /** The result here, in short: `connection "deepseek"`, `route "claude-opus-5-5"`; absent if it is left. */
  becomes: z.string().optional(),
  reason: fieldReasonSchema.optional(),
});
export type ImportedField = z.infer<typeof importedFieldSchema>;
