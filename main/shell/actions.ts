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
  /** Toggle the settings that the tray has checkmarks for. */
  readonly toggleNotifications: () => void;
  readonly toggleAutostart: () => void;
  readonly installUpdate: () => void;
}

/** Creates the actions of the menu entries. */
export function createActions({ url, dataDir, window, quit, gateway, ...options }: ActionOptions): Act {
  const openSettings = (section: string): void => window.open({ page: "settings", params: { section } });
  // The call fails if no browser is installed.
  const openGuide = (page: string): void => void shell.openExternal(`${url}/guide/${page}`).catch(() => undefined);
  const actions: Record<MenuAction | TrayAction, () => void> = {
    open: window.show,
    settings: () => window.open({ page: "settings" }),
    reload: () => window.obey("reload"),
    back: () => window.obey("back"),
    forward: () => window.obey("forward"),
    find: () => window.obey("find"),
    "find-next": () => window.obey("find-next"),
    "find-previous": () => window.obey("find-previous"),
    "close-window": window.close,
    "copy-base-url": () => copyText(getBaseUrl(url)),
    "copy-mcp": () => copyText(getMcpUrl(url)),
    pause: () => gateway.pause(),
    resume: () => gateway.resume(),
    "toggle-notifications": options.toggleNotifications,
    "toggle-autostart": options.toggleAutostart,
    updates: () => openSettings("updates"),
    "install-update": options.installUpdate,
    "show-log": () => shell.showItemInFolder(logFile(dataDir)),
    guide: () => openGuide("index.html"),
    report: () => openGuide("troubleshooting.html#ask-for-help"),
    diagnostics: () => openSettings("about"),
    about: () => openSettings("about"),
    quit: () => quit.ask(),
  };
  return (action) => actions[action]();
}
