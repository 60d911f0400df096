import { contextBridge, ipcRenderer } from "electron";
import type { DesktopBridge } from "../renderer/bridge.ts";
import { OPEN_PAGES, SHOW_FILE } from "./policy/channels.ts";

/**
 * All that a page of the window can reach of Electron: three members, no channel names, nothing generic. Built into one
 * CommonJS file, because a sandboxed preload can load nothing else.
 */
const desktop: DesktopBridge = {
  platform: process.platform,
  openPages: () => ipcRenderer.invoke(OPEN_PAGES),
  showFile: (path) => ipcRenderer.invoke(SHOW_FILE, path),
};

contextBridge.exposeInMainWorld("desktop", desktop);
