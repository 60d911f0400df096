import { Menu, type MenuItemConstructorOptions } from "electron";
import { createMenuModel, type MenuAction, type MenuItem } from "../policy/menu-model.ts";
import type { Words } from "../policy/words.ts";
import type { HistoryState } from "./page-commands.ts";

function makeTemplate(item: MenuItem, act: (action: MenuAction) => void): MenuItemConstructorOptions {
  if (item.kind === "separator") return { type: "separator" };
  if (item.kind === "role") return { role: item.role, label: item.label };
  if (item.kind === "alias") return { role: item.role, accelerator: item.accelerator, visible: false };
  const { label, accelerator, action } = item;
  return { id: action, label, click: () => act(action), ...(accelerator === undefined ? {} : { accelerator }) };
}

/** Replaces Electron's default menu, which has entries that lead to Electron's own sites. */
export function installAppMenu(hasDevTools: boolean, words: Words, act: (action: MenuAction) => void): void {
  const template = createMenuModel(process.platform, hasDevTools, words).map((menu) => ({
    label: menu.label,
    submenu: menu.items.map((item) => makeTemplate(item, act)),
  }));
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** Enables the back and forward entries if possible. */
export function enableHistory(history: HistoryState): void {
  for (const [id, enabled] of Object.entries(history)) {
    const entry = Menu.getApplicationMenu()?.getMenuItemById(id);
    if (entry != null) entry.enabled = enabled;
  }
}
