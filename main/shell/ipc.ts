import { ipcMain, shell, type BrowserWindow, type IpcMainInvokeEvent } from "electron";
import { OPEN_PAGES, SHOW_FILE } from "../policy/channels.ts";
import { isTrustedSender, type Sender } from "../policy/ipc-sender.ts";
import { mayShowFile } from "../policy/show-file.ts";

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
  /** The media library's folder, with the separator at its end. */
  readonly mediaFolder: string;
}

/**
 * Serves the preload's two questions. Anything else than our own page is refused with an error, and so is a message
 * with other arguments than its question takes.
 */
export function serveBridge(options: IpcOptions): void {
  const requireOwnPage = (event: IpcMainInvokeEvent): void => {
    if (isTrustedSender(senderOf(event, options.window()), options.origin)) return;
    throw new Error("Only the window of Postern may ask for this.");
  };
  ipcMain.handle(OPEN_PAGES, (event, ...rest: unknown[]) => {
    requireOwnPage(event);
    if (rest.length > 0) throw new Error("This takes no arguments.");
    return { token: options.issuePageToken() };
  });
  ipcMain.handle(SHOW_FILE, (event, path: unknown, ...rest: unknown[]) => {
    requireOwnPage(event);
    if (rest.length > 0 || !mayShowFile(path, options.mediaFolder)) {
      throw new Error("Only files of the media library can be shown.");
    }
    shell.showItemInFolder(path);
  });
}
