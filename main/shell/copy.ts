import { clipboard } from "electron";

/** Puts text on the clipboard. It fails where another program holds the clipboard; trying again is all there is to do. */
export function copyText(text: string): void {
  // Electron 42, which the desktop suite runs on, returns undefined and throws synchronously.
  const write = async (): Promise<void> => clipboard.writeText(text);
  write().catch(() => undefined);
}
