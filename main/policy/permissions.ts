import { isSameOrigin } from "./origin.ts";

/**
 * Everything that a page of the window may ask of the operating system: copying a key or a command, and the microphone
 * where the playground records. Reading the clipboard, the camera, notifications, devices, location and the rest are
 * refused.
 */
const GRANTED: ReadonlySet<string> = new Set(["clipboard-sanitized-write"]);

/**
 * Tells whether a permission is granted: only listed ones, to the gateway's origin in the main frame.
 * @param asker address or origin of the requesting frame; an empty one is refused.
 * @param media requested kinds of `media`: `audio`, `video`
 */
export function mayUse(
  permission: string,
  asker: string,
  isMainFrame: boolean,
  origin: string,
  media: readonly string[] = [],
): boolean {
  const hears = permission === "media" && media.length > 0 && media.every((kind) => kind === "audio");
  return (GRANTED.has(permission) || hears) && isMainFrame && isSameOrigin(asker, origin);
}
