import { shell } from "electron";
import { logFile } from "../../gateway/store/disk/log-file.ts";
import type { MenuAction } from "../policy/menu-model.ts";
import { getBaseUrl, getMcpUrl, type TrayAction } from "../policy/tray-model.ts";
import { copyText } from "./copy.ts";
import type { MainWindow } from "./main-window.ts";
import type { Quit } from "./quit.ts";

export type Act = (action: MenuAction | TrayAction) => void;

export interface ActionOptions {
  /** The gateway's address. */
  readonly url: string;
  readonly dataDir: string;
  readonly window: MainWindow;
  readonly quit: Quit;
  readonly gateway: { pause(): void; resume(): void };
  /** Turn over what the tray has a tick for. */
  readonly toggleNotifications: () => void;
  readonly toggleAutostart: () => void;
  readonly installUpdate: () => void;
}

/** Creates the actions of the menu entries. */
export function createActions({ url, dataDir, window, quit, gateway, ...options }: ActionOptions): Act {
  const actions: Record<MenuAction | TrayAction, () => void> = {
    open: window.show,
    reload: window.reload,
    "close-window": window.close,
    "copy-base-url": () => copyText(getBaseUrl(url)),
    "copy-mcp": () => copyText(getMcpUrl(url)),
    pause: () => gateway.pause(),
    resume: () => gateway.resume(),
    "toggle-notifications": options.toggleNotifications,
    "toggle-autostart": options.toggleAutostart,
    updates: () => window.open({ page: "settings", params: { section: "updates" } }),
    "install-update": options.installUpdate,
    "show-log": () => shell.showItemInFolder(logFile(dataDir)),
    diagnostics: () => window.open({ page: "settings", params: { section: "about" } }),
    quit: () => quit.ask(),
  };
  return (action) => actions[action]();
}
