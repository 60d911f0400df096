import * as z from "zod";

/** Language and theme that were chosen on the pages; the shell follows them. Same type as in renderer/bridge.ts. */
export const appearanceSchema = z.object({
  language: z.enum(["en", "zh"]).nullable(),
  theme: z.enum(["system", "light", "dark"]),
});
export type Appearance = z.infer<typeof appearanceSchema>;
