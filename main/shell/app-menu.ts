import { Menu, type MenuItemConstructorOptions } from "electron";
import { createMenuModel, type MenuAction, type MenuItem } from "../policy/menu-model.ts";
import type { Words } from "../policy/words.ts";

function makeTemplate(item: MenuItem, act: (action: MenuAction) => void): MenuItemConstructorOptions {
  if (item.kind === "separator") return { type: "separator" };
  if (item.kind === "role") return { role: item.role, label: item.label };
  if (item.kind === "alias") return { role: item.role, accelerator: item.accelerator, visible: false };
  const click = (): void => act(item.action);
  return item.accelerator === undefined
    ? { label: item.label, click }
    : { label: item.label, accelerator: item.accelerator, click };
}

/** Replaces Electron's default menu, which has entries that lead to Electron's own sites. */
export function installAppMenu(hasDevTools: boolean, words: Words, act: (action: MenuAction) => void): void {
  const template = createMenuModel(process.platform, hasDevTools, words).map((menu) => ({
    label: menu.label,
    submenu: menu.items.map((item) => makeTemplate(item, act)),
  }));
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
