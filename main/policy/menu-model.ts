import type { Words } from "./words.ts";

/** Entries that the operating system knows how to do. */
export type MenuRole =
  | "about"
  | "services"
  | "hide"
  | "hideOthers"
  | "unhide"
  | "undo"
  | "redo"
  | "cut"
  | "copy"
  | "paste"
  | "selectAll"
  | "resetZoom"
  | "zoomIn"
  | "zoomOut"
  | "togglefullscreen"
  | "toggleDevTools"
  | "minimize"
  | "front";

export type MenuAction = "open" | "reload" | "copy-base-url" | "updates" | "close-window" | "quit";

export type MenuItem =
  | { readonly kind: "role"; readonly role: MenuRole }
  | { readonly kind: "separator" }
  | { readonly kind: "action"; readonly label: string; readonly action: MenuAction; readonly accelerator?: string };

export interface Menu {
  readonly label: string;
  readonly items: readonly MenuItem[];
}

const separator: MenuItem = { kind: "separator" };
const role = (name: MenuRole): MenuItem => ({ kind: "role", role: name });

const macMenu = (updates: MenuItem, quit: MenuItem): Menu => ({
  label: "Postern",
  items: [
    role("about"),
    updates,
    separator,
    role("services"),
    separator,
    role("hide"),
    role("hideOthers"),
    role("unhide"),
    separator,
    quit,
  ],
});

/**
 * The application menu. It is there on every platform, hidden behind Alt on Windows and Linux, since without one
 * copying, pasting and zooming by keyboard do not work.
 * @param hasDevTools false in an installed app: the entry is then absent, not merely disabled.
 */
export function menuModel(
  platform: NodeJS.Platform,
  hasDevTools: boolean,
  { menu: words, tray }: Words,
): readonly Menu[] {
  const isMac = platform === "darwin";
  const quit: MenuItem = { kind: "action", label: tray.quit, action: "quit", accelerator: "CommandOrControl+Q" };
  const updates: MenuItem = { kind: "action", label: words.checkForUpdates, action: "updates" };
  const file: readonly MenuItem[] = [
    { kind: "action", label: words.openWindow, action: "open", accelerator: "CommandOrControl+N" },
    { kind: "action", label: tray.copyBaseUrl, action: "copy-base-url", accelerator: "CommandOrControl+Shift+C" },
    separator,
    { kind: "action", label: words.closeWindow, action: "close-window", accelerator: "CommandOrControl+W" },
  ];
  const view: readonly MenuItem[] = [
    { kind: "action", label: words.reload, action: "reload", accelerator: "CommandOrControl+R" },
    separator,
    role("resetZoom"),
    role("zoomIn"),
    role("zoomOut"),
    separator,
    role("togglefullscreen"),
  ];
  return [
    ...(isMac ? [macMenu(updates, quit)] : []),
    { label: words.file, items: isMac ? file : [...file, separator, updates, separator, quit] },
    {
      label: words.edit,
      items: [role("undo"), role("redo"), separator, role("cut"), role("copy"), role("paste"), role("selectAll")],
    },
    { label: words.view, items: hasDevTools ? [...view, separator, role("toggleDevTools")] : view },
    { label: words.window, items: isMac ? [role("minimize"), separator, role("front")] : [role("minimize")] },
  ];
}
