import * as z from "zod";

const port = z.number().int().min(0).max(65_535);

/** Where Postern listens now, and where it will after the next start. */
export const addressViewSchema = z.object({
  url: z.string(),
  host: z.string(),
  port,
  /** Where other machines of the network reach it, as `http://192.168.1.5:6174`; none while it is for this machine only. */
  others: z.array(z.string()),
  /** What the command line or the environment decides at this start: the setting is kept and waits. */
  fixed: z.object({ host: z.boolean(), port: z.boolean() }),
  next: z.object({ host: z.string(), port }),
  /** Whether the next start will listen elsewhere. */
  restart_needed: z.boolean(),
  /** Whether it can start itself again (`restart`); the desktop app does that in its own way. */
  can_restart: z.boolean(),
});
export type AddressView = z.infer<typeof addressViewSchema>;
