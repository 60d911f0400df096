import { clipboard } from "electron";

/** Puts text on the clipboard. It fails where another program holds the clipboard; trying again is all there is to do. */
export function copyText(text: string): void {
  clipboard.writeText(text).catch(() => undefined);
}
