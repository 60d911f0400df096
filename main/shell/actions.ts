import type { MenuAction } from "../policy/menu-model.ts";
import { baseUrl, type TrayAction } from "../policy/tray-model.ts";
import { copyText } from "./copy.ts";
import type { MainWindow } from "./main-window.ts";
import type { Quit } from "./quit.ts";

export type Act = (action: MenuAction | TrayAction) => void;

/** What the entries of the menus do. */
export function createActions(url: string, window: MainWindow, quit: Quit): Act {
  return (action) => {
    switch (action) {
      case "open":
        return window.show();
      case "reload":
        return window.reload();
      case "close-window":
        return window.close();
      case "copy-base-url":
        return copyText(baseUrl(url));
      case "quit":
        return quit.ask();
    }
  };
}
