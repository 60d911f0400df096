import { isSameOrigin } from "./origin.ts";

/**
 * Everything that a page of the window may ask of the operating system. Copying a key or a command is all that the
 * pages do; reading the clipboard, notifications, devices, location and the rest are refused.
 */
const GRANTED: ReadonlySet<string> = new Set(["clipboard-sanitized-write"]);

/**
 * Whether a permission is granted: to the gateway's own origin, in the main frame, and only what is listed.
 * @param asker address or origin of the frame that asks; an empty one is refused.
 */
export function mayUse(permission: string, asker: string, isMainFrame: boolean, origin: string): boolean {
  return GRANTED.has(permission) && isMainFrame && isSameOrigin(asker, origin);
}
