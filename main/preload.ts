import { contextBridge, ipcRenderer } from "electron";
import type { DesktopBridge, DownloadedFile } from "../renderer/bridge.ts";
import {
  AUTOSTART,
  CHECK_FOR_UPDATES,
  CLOSE_TO_TRAY,
  CONSENT_TO_EXPORT,
  DRAG_FILES,
  DOWNLOADED,
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
} from "./policy/channels.ts";

/** Calls the main process. Its errors are sentences, which Electron prefixes with its own text. */
const invoke = (channel: string, ...given: unknown[]): Promise<never> =>
  ipcRenderer.invoke(channel, ...given).catch((error: Error) => {
    throw new Error(error.message.replace(/^Error invoking remote method '[^']*': (?:\w*Error: )?/, ""));
  }) as Promise<never>;

/**
 * The only access of the window's pages to Electron: named members, no channel names, nothing generic. Bundled into one
 * CommonJS file, because a sandboxed preload cannot load others.
 */
const desktop: DesktopBridge = {
  platform: process.platform,
  openPages: () => invoke(OPEN_PAGES),
  consentToExport: () => invoke(CONSENT_TO_EXPORT),
  showFile: (path) => invoke(SHOW_FILE, path),
  dragFiles: (ids) => invoke(DRAG_FILES, ids),
  onDownload(listener) {
    const onDownloaded = (_event: unknown, file: DownloadedFile): void => listener(file);
    ipcRenderer.on(DOWNLOADED, onDownloaded);
    return () => void ipcRenderer.off(DOWNLOADED, onDownloaded);
  },
  showDownload: (id) => invoke(SHOW_DOWNLOAD, id),
  openDataFolder: () => invoke(OPEN_DATA_FOLDER),
  setAppearance: (appearance) => invoke(SET_APPEARANCE, appearance),
  autostart: () => invoke(AUTOSTART),
  setAutostart: (on) => invoke(SET_AUTOSTART, on),
  closeToTray: () => invoke(CLOSE_TO_TRAY),
  setCloseToTray: (on) => invoke(SET_CLOSE_TO_TRAY, on),
  updates: () => invoke(UPDATES),
  checkForUpdates: () => invoke(CHECK_FOR_UPDATES),
  installUpdate: () => invoke(INSTALL_UPDATE),
  restart: () => invoke(RESTART),
};

contextBridge.exposeInMainWorld("desktop", desktop);
