import { session } from "electron";

/** A session of its own: the window's asks no proxy. Nothing is loaded in it. */
const PARTITION = "outbound";

/** Asks Chromium for the system's proxy for a URL: settings of the desktop, PAC files and policies included. */
export function resolveSystemProxy(url: string): Promise<string> {
  return session.fromPartition(PARTITION).resolveProxy(url);
}
