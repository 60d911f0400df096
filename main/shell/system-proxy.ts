import { session } from "electron";

/** Separate session for proxy lookup, because the window's uses no proxy. Nothing is loaded in it. */
const PARTITION = "outbound";

/** Asks Chromium for the system's proxy for a URL: settings of the desktop, PAC files and policies included. */
export function resolveSystemProxy(url: string): Promise<string> {
  return session.fromPartition(PARTITION).resolveProxy(url);
}
