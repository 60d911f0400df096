import * as z from "zod";

/** Provider keys among the environment variables of Postern's process, by name only. Used in the first run. */

export const foundKeySchema = z.object({
  /** Name such as `OPENAI_API_KEY`. The value is never shown. */
  variable: z.string(),
  /** The provider that it is usually for, as `OpenAI`. */
  label: z.string(),
});
export type FoundKey = z.infer<typeof foundKeySchema>;

export const connectFoundKeySchema = z.object({ variable: z.string().min(1).max(100) }).strict();
