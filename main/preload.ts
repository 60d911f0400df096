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
  SET_AUTOSTART,
  SET_CLOSE_TO_TRAY,
  SHOW_DOWNLOAD,
  SHOW_FILE,
  UPDATES,
} from "./policy/channels.ts";

/**
 * All that a page of the window can reach of Electron: named members, no channel names, nothing generic. Built into one
 * CommonJS file, because a sandboxed preload can load nothing else.
 */
const desktop: DesktopBridge = {
  platform: process.platform,
  openPages: () => ipcRenderer.invoke(OPEN_PAGES),
  consentToExport: () => ipcRenderer.invoke(CONSENT_TO_EXPORT),
  showFile: (path) => ipcRenderer.invoke(SHOW_FILE, path),
  dragFiles: (ids) => ipcRenderer.invoke(DRAG_FILES, ids),
  onDownload(listener) {
    const heard = (_event: unknown, file: DownloadedFile): void => listener(file);
    ipcRenderer.on(DOWNLOADED, heard);
    return () => void ipcRenderer.off(DOWNLOADED, heard);
  },
  showDownload: (id) => ipcRenderer.invoke(SHOW_DOWNLOAD, id),
  openDataFolder: () => ipcRenderer.invoke(OPEN_DATA_FOLDER),
  autostart: () => ipcRenderer.invoke(AUTOSTART),
  setAutostart: (on) => ipcRenderer.invoke(SET_AUTOSTART, on),
  closeToTray: () => ipcRenderer.invoke(CLOSE_TO_TRAY),
  setCloseToTray: (on) => ipcRenderer.invoke(SET_CLOSE_TO_TRAY, on),
  updates: () => ipcRenderer.invoke(UPDATES),
  checkForUpdates: () => ipcRenderer.invoke(CHECK_FOR_UPDATES),
  installUpdate: () => ipcRenderer.invoke(INSTALL_UPDATE),
  restart: () => ipcRenderer.invoke(RESTART),
};

contextBridge.exposeInMainWorld("desktop", desktop);
