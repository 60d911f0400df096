import { ipcMain, shell, type BrowserWindow, type IpcMainInvokeEvent } from "electron";
import { within } from "../../gateway/lib/within.ts";
import type { DesktopMemory } from "../desktop-memory.ts";
import {
  AUTOSTART,
  CHECK_FOR_UPDATES,
  CLOSE_TO_TRAY,
  CONSENT_TO_EXPORT,
  DRAG_FILES,
  INSTALL_UPDATE,
  OPEN_DATA_FOLDER,
  OPEN_PAGES,
  RESTART,
  SET_APPEARANCE,
  SET_AUTOSTART,
  SET_CLOSE_TO_TRAY,
  SHOW_DOWNLOAD,
  SHOW_FILE,
  UPDATES,
} from "../policy/channels.ts";
import { appearanceSchema, type Appearance } from "../policy/appearance.ts";
import { areDragIds } from "../policy/drag-ids.ts";
import { isTrustedSender, type Sender } from "../policy/ipc-sender.ts";
import { mayShowFile } from "../policy/show-file.ts";
import type { AutostartSwitch } from "../tray-switches.ts";
import type { Words } from "../policy/words.ts";
import { askToExport } from "./consent.ts";
import type { Downloads } from "./downloads.ts";
import type { DragOut } from "./drag-out.ts";
import type { Updater } from "./updater.ts";

/** Timeout in milliseconds: without a file manager, Electron may wait forever. */
const OPENS_WITHIN_MS = 10_000;

function findSender(event: IpcMainInvokeEvent, window: BrowserWindow | null): Sender {
  const frame = event.senderFrame;
  if (frame === null) return null;
  const contents = window?.webContents;
  return {
    url: frame.url,
    // `detached` is not checked: Electron 42 reports it for every frame of a window whose process has crashed once.
    isTopFrame: frame.parent === null && frame.frameTreeNodeId === contents?.mainFrame.frameTreeNodeId,
    isWindow: contents !== undefined && event.sender === contents,
  };
}

export interface IpcOptions {
  /** The gateway's address. */
  readonly origin: string;
  readonly window: () => BrowserWindow | null;
  readonly issuePageToken: () => string;
  /** A token for what only the owner may do. */
  readonly issueConsent: () => string;
  readonly words: Words;
  /** Folder of the media library, with a trailing separator. */
  readonly mediaFolder: string;
  readonly dataFolder: string;
  readonly autostart: AutostartSwitch;
  readonly onAppearance: (appearance: Appearance) => void;
  /** Called when the owner changed it on the pages. */
  readonly onAutostart: () => void;
  /** Stores whether closing the window leaves Postern in the tray. */
  readonly memory: Pick<DesktopMemory, "value" | "update">;
  readonly downloads: Pick<Downloads, "show">;
  readonly dragOut: DragOut;
  readonly updater: Updater;
  readonly restart: () => void;
}

/**
 * Serves the preload's IPC. Other senders than our own page, and invalid arguments, are refused with an error.
 */
export function serveBridge(options: IpcOptions): void {
  const { autostart, updater } = options;
  const serve = (channel: string, takes: number, response: (given: unknown) => unknown): void => {
    ipcMain.handle(channel, (event, ...given: unknown[]) => {
      if (!isTrustedSender(findSender(event, options.window()), options.origin)) {
        throw new Error("Only the window of Postern may ask for this.");
      }
      if (given.length !== takes)
        throw new Error(takes === 0 ? "This takes no arguments." : "This takes one argument.");
      return response(given[0]);
    });
  };
  serve(OPEN_PAGES, 0, () => ({ token: options.issuePageToken() }));
  serve(CONSENT_TO_EXPORT, 0, async () =>
    (await askToExport(options.window(), options.words)) ? { token: options.issueConsent() } : null,
  );
  serve(SHOW_FILE, 1, (path) => {
    if (!mayShowFile(path, options.mediaFolder)) throw new Error("Only files of the media library can be shown.");
    shell.showItemInFolder(path);
  });
  serve(DRAG_FILES, 1, async (ids) => {
    const contents = options.window()?.webContents;
    if (!areDragIds(ids) || contents === undefined)
      throw new Error("Only results of the media library can be dragged.");
    await options.dragOut.start(contents, ids);
  });
  serve(SHOW_DOWNLOAD, 1, (id) => options.downloads.show(id));
  serve(OPEN_DATA_FOLDER, 0, async () => {
    const opening = shell.openPath(options.dataFolder);
    if (!(await within(opening, OPENS_WITHIN_MS))) {
      throw new Error(`This desktop has not opened the data folder. It is at ${options.dataFolder}.`);
    }
    const failure = await opening;
    if (failure !== "") throw new Error(`The data folder could not be opened: ${failure}`);
  });
  serve(SET_APPEARANCE, 1, (given) => {
    const { success, data } = appearanceSchema.safeParse(given);
    if (!success) throw new Error("This takes a language and a theme.");
    options.onAppearance(data);
  });
  serve(AUTOSTART, 0, () => autostart.read());
  serve(SET_AUTOSTART, 1, async (on) => {
    if (typeof on !== "boolean") throw new Error("This takes true or false.");
    await autostart.set(on);
    options.onAutostart();
  });
  serve(CLOSE_TO_TRAY, 0, () => options.memory.value.closeToTray);
  serve(SET_CLOSE_TO_TRAY, 1, (on) => {
    if (typeof on !== "boolean") throw new Error("This takes true or false.");
    options.memory.update({ closeToTray: on });
  });
  serve(UPDATES, 0, () => updater.state());
  serve(CHECK_FOR_UPDATES, 0, () => updater.check());
  serve(INSTALL_UPDATE, 0, () => updater.next());
  serve(RESTART, 0, () => options.restart());
}
