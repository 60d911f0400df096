import * as z from "zod";

const port = z.number().int().min(0).max(65_535);

/** The address at which Postern listens now, and after the next start. */
export const addressViewSchema = z.object({
  url: z.string(),
  host: z.string(),
  port,
  /**
   * URLs for other machines in the network, such as `http://192.168.1.5:6174`; empty if it only serves this machine.
   */
  others: z.array(z.string()),
  /** Values fixed by the command line or the environment at this start: the setting is kept and waits. */
  fixed: z.object({ host: z.boolean(), port: z.boolean() }),
  next: z.object({ host: z.string(), port }),
  /** Whether the next start will listen elsewhere. */
  restart_needed: z.boolean(),
  /** Whether it can start itself again (`restart`); the desktop app does that in its own way. */
  can_restart: z.boolean(),
});
export type AddressView = z.infer<typeof addressViewSchema>;
