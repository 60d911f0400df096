import { isSameOrigin } from "./origin.ts";

/**
 * Everything that a page of the window may ask of the operating system: copying a key or a command, and the microphone
 * where the playground records. Reading the clipboard, the camera, notifications, devices, location and the rest are
 * refused.
 */
const GRANTED: ReadonlySet<string> = new Set(["clipboard-sanitized-write"]);

/**
 * Whether a permission is granted: to the gateway's own origin, in the main frame, and only what is listed.
 * @param asker address or origin of the frame that asks; an empty one is refused.
 * @param media what `media` is asked for: `audio`, `video`
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
