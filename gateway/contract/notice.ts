import * as z from "zod";

/** Something that the owner should know: quarantined files, a locked keychain, an ignored environment entry. */
export const noticeSchema = z.object({
  id: z.string(),
  level: z.enum(["info", "warning", "danger"]),
  message: z.string(),
  at: z.number().int(),
});
export type Notice = z.infer<typeof noticeSchema>;
