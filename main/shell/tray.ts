import { Menu, Tray, nativeTheme, type MenuItemConstructorOptions } from "electron";
import {
  isSameTray,
  opensOnClick,
  createTrayIcon,
  createTrayModel,
  type TrayAction,
  type TrayFacts,
  type TrayItem,
  type TrayModel,
} from "../policy/tray-model.ts";
import type { Words } from "../policy/words.ts";
import { getTrayImage } from "./tray-image.ts";

export interface TrayOptions {
  readonly facts: () => TrayFacts;
  readonly words: Words;
  readonly act: (action: TrayAction) => void;
}

export interface TrayView {
  /** Reads the facts and updates the tray if they changed. */
  refresh(): void;
  /** Puts the icon there once more: a Linux desktop's tray shows no icon that was made before it. */
  renew(): void;
  /** Model of the current menu, for the desktop suite: a native menu cannot be read back. */
  model(): TrayModel | null;
}

function makeTemplate(item: TrayItem, act: TrayOptions["act"]): MenuItemConstructorOptions {
  if (item.kind === "separator") return { type: "separator" };
  if (item.kind === "text") return { label: item.label, enabled: false };
  const click = (): void => act(item.action);
  if (item.kind === "check") return { type: "checkbox", label: item.label, checked: item.checked, click };
  return { label: item.label, click };
}

/** Shows the tray icon and keeps its menu current. */
export function showTray(options: TrayOptions): TrayView {
  const image = () => {
    const isDark =
      process.platform === "win32"
        ? nativeTheme.shouldUseDarkColorsForSystemIntegratedUI
        : nativeTheme.shouldUseDarkColors;
    return getTrayImage(createTrayIcon(process.platform, isDark));
  };
  const make = (): Tray => {
    const made = new Tray(image());
    if (opensOnClick(process.platform)) made.on("click", () => options.act("open"));
    return made;
  };
  let tray = make();
  let shown: TrayModel | null = null;
  const act = (action: TrayAction): void => {
    // A native menu ticks its own box: what it shows is the model's no longer, whether the action succeeds or not.
    shown = null;
    options.act(action);
  };
  const refresh = (): void => {
    const model = createTrayModel(options.facts(), options.words);
    if (isSameTray(shown, model)) return;
    shown = model;
    tray.setToolTip(model.tooltip);
    tray.setContextMenu(Menu.buildFromTemplate(model.items.map((item) => makeTemplate(item, act))));
  };
  nativeTheme.on("updated", () => tray.setImage(image()));
  refresh();
  const renew = (): void => {
    tray.destroy();
    tray = make();
    shown = null;
    refresh();
  };
  return { refresh, renew, model: () => shown };
}
