import type { MenuRole, Words } from "./words.ts";

export type MenuAction =
  | "open"
  | "reload"
  | "copy-base-url"
  | "updates"
  | "close-window"
  | "show-log"
  | "diagnostics"
  | "quit";

export type MenuItem =
  | { readonly kind: "role"; readonly role: MenuRole; readonly label: string }
  /** Another key for what a visible entry does, by Electron's name for it. It shows nowhere. */
  | { readonly kind: "alias"; readonly role: MenuRole; readonly accelerator: string }
  | { readonly kind: "separator" }
  | { readonly kind: "action"; readonly label: string; readonly action: MenuAction; readonly accelerator?: string };

export interface Menu {
  readonly label: string;
  readonly items: readonly MenuItem[];
}

const separator: MenuItem = { kind: "separator" };
/** Electron's own names for what the system does are English in every language. */
const role = (name: MenuRole, words: Words["menu"]): MenuItem => ({
  kind: "role",
  role: name,
  label: words.roles[name],
});
const alias = (name: MenuRole, accelerator: string): MenuItem => ({ kind: "alias", role: name, accelerator });

/**
 * Zooming in is shown with a plus, which is Shift and another key on most keyboards: people press the key alone, or the
 * one of the number block.
 */
const zoomKeys: readonly MenuItem[] = [
  alias("zoomIn", "CommandOrControl+="),
  alias("zoomIn", "CommandOrControl+numadd"),
  alias("zoomOut", "CommandOrControl+numsub"),
  alias("resetZoom", "CommandOrControl+num0"),
];

const createMacMenu = (words: Words["menu"], updates: MenuItem, quit: MenuItem): Menu => ({
  label: "Postern",
  items: [
    role("about", words),
    updates,
    separator,
    role("services", words),
    separator,
    role("hide", words),
    role("hideOthers", words),
    role("unhide", words),
    separator,
    quit,
  ],
});

/** A press of the other button within a page, as Chromium tells of it. */
export interface ContextFacts {
  /** Whether it was in a field that takes text. */
  readonly isEditable: boolean;
  /** Actions on a text that are possible now. */
  readonly can: Readonly<Record<TextRole, boolean>>;
  readonly hasSelection: boolean;
}

export type TextRole = "undo" | "redo" | "cut" | "copy" | "paste" | "selectAll";

export type ContextItem =
  | { readonly kind: "separator" }
  | { readonly kind: "role"; readonly role: TextRole; readonly label: string; readonly enabled: boolean };

/**
 * The menu of a field, and of text that is selected; empty elsewhere: what can be done on the pages is on the pages.
 */
export function createContextMenu(
  { isEditable, can, hasSelection }: ContextFacts,
  { menu }: Words,
): readonly ContextItem[] {
  const entry = (name: TextRole): ContextItem => ({
    kind: "role",
    role: name,
    label: menu.roles[name],
    enabled: can[name],
  });
  if (!isEditable) return hasSelection ? [entry("copy")] : [];
  const line = { kind: "separator" } as const;
  return [entry("undo"), entry("redo"), line, entry("cut"), entry("copy"), entry("paste"), line, entry("selectAll")];
}

/**
 * The application menu. It is there on every platform, shown by Alt on Windows and Linux, since without one
 * copying, pasting and zooming by keyboard do not work.
 * @param hasDevTools false in an installed app: the entry is then absent, not merely disabled.
 */
export function createMenuModel(
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
    role("resetZoom", words),
    role("zoomIn", words),
    role("zoomOut", words),
    ...zoomKeys,
    separator,
    role("togglefullscreen", words),
  ];
  return [
    ...(isMac ? [createMacMenu(words, updates, quit)] : []),
    { label: words.file, items: isMac ? file : [...file, separator, updates, separator, quit] },
    {
      label: words.edit,
      items: [
        role("undo", words),
        role("redo", words),
        separator,
        role("cut", words),
        role("copy", words),
        role("paste", words),
        role("selectAll", words),
      ],
    },
    { label: words.view, items: hasDevTools ? [...view, separator, role("toggleDevTools", words)] : view },
    {
      label: words.window,
      items: isMac ? [role("minimize", words), separator, role("front", words)] : [role("minimize", words)],
    },
    {
      label: words.help,
      items: [
        { kind: "action", label: words.showLog, action: "show-log" },
        { kind: "action", label: words.diagnostics, action: "diagnostics" },
      ],
    },
  ];
}
