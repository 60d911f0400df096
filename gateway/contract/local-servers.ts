import * as z from "zod";

/**
 * A local program that serves models, detected at its usual port. It receives no request until the user connects it.
 */
export const localServerSchema = z.object({
  /** Also of its connection, while it is used. */
  id: z.string(),
  /** `ollama`, `lm-studio`, `llama-cpp`. */
  kind: z.string(),
  name: z.string(),
  base_url: z.string(),
  state: z.enum(["offered", "used", "refused"]),
  /** It runs now. */
  present: z.boolean(),
  /** User of the program, if the system reports it. */
  user: z
    .object({
      uid: z.number().int(),
      name: z.string().nullable(),
      /** Not the user that Postern runs as. */
      other: z.boolean(),
    })
    .nullable(),
});
export type LocalServerView = z.infer<typeof localServerSchema>;

/** Body of "use a detected server". A program of another user is only used with explicit consent. */
export const useLocalServerSchema = z.object({ other_user: z.boolean().optional() }).strict();
