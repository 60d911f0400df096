import * as z from "zod";

/** A program of this machine that serves models, found at its usual port. It is asked nothing until the owner uses it. */
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
  /** The user of the program, if the system tells. */
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

/** Body of "use a found server". What another user runs is used only where the owner says so. */
export const useLocalServerSchema = z.object({ other_user: z.boolean().optional() }).strict();
