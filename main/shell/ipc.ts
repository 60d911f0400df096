import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from "electron";
import { OPEN_PAGES } from "../policy/channels.ts";
import { isTrustedSender, type Sender } from "../policy/ipc-sender.ts";

function senderOf(event: IpcMainInvokeEvent, window: BrowserWindow | null): Sender {
  const frame = event.senderFrame;
  if (frame === null || frame.detached) return null;
  return {
    url: frame.url,
    isTopFrame: frame.parent === null,
    isWindow: window !== null && event.sender === window.webContents,
  };
}

export interface IpcOptions {
  /** The gateway's address. */
  readonly origin: string;
  readonly window: () => BrowserWindow | null;
  readonly issuePageToken: () => string;
}

/**
 * Serves the preload's one question. Anything else than our own page is refused with an error, and a message with
 * arguments is refused too, since there is nothing to say.
 */
export function serveBridge(options: IpcOptions): void {
  ipcMain.handle(OPEN_PAGES, (event, ...rest: unknown[]) => {
    if (!isTrustedSender(senderOf(event, options.window()), options.origin)) {
      throw new Error("Only the window of Postern may ask for this.");
    }
    if (rest.length > 0) throw new Error("This takes no arguments.");
    return { token: options.issuePageToken() };
  });
}
