import { clipboard } from "electron";

/** Copies text to the clipboard. It fails while another program holds the clipboard, so it is retried. */
export function copyText(text: string): void {
  // Electron 42, which the desktop suite runs on, returns undefined and throws synchronously.
  const write = async (): Promise<void> => clipboard.writeText(text);
  write().catch(() => undefined);
}
