import type { PageCommand } from "./page-command.ts";
import type { MenuRole, Words } from "./words.ts";

export type MenuAction =
  | PageCommand
  | "open"
  | "settings"
  | "copy-base-url"
  | "updates"
  | "close-window"
  | "guide"
  | "show-log"
  | "diagnostics"
  | "report"
  | "about"
  | "quit";

export type MenuItem =
  | { readonly kind: "role"; readonly role: MenuRole; readonly label: string }
  /** Another key for what a visible entry does, by Electron's name for it. It shows nowhere. */
  | { readonly kind: "alias"; readonly role: MenuRole; readonly accelerator: string }
  | { readonly kind: "separator" }
  | { readonly kind: "action"; readonly label: string; readonly action: MenuAction; readonly accelerator?: string };

/** Letters that choose an entry while its menu is open on Windows and Linux. */
const LETTERS: Readonly<Partial<Record<MenuAction | MenuRole, string>>> = {
  open: "O",
  settings: "S",
  "copy-base-url": "B",
  "close-window": "C",
  updates: "U",
  quit: "Q",
  undo: "U",
  redo: "R",
  cut: "T",
  copy: "C",
  paste: "P",
  selectAll: "A",
  find: "F",
  "find-next": "N",
  "find-previous": "V",
  back: "B",
  forward: "W",
  reload: "R",
  resetZoom: "A",
  zoomIn: "I",
  zoomOut: "O",
  togglefullscreen: "F",
  toggleDevTools: "D",
  minimize: "M",
  guide: "G",
  "show-log": "L",
  diagnostics: "D",
  report: "R",
  about: "A",
};
const MENU_LETTERS = ["F", "E", "V", "W", "H"];

/**
 * Marks a letter of a label as mnemonic; appends it in parentheses if the label, as in Chinese, does not contain it.
 */
function addMnemonic(label: string, letter = ""): string {
  if (letter === "") return label;
  const at = label.toUpperCase().indexOf(letter);
  return at === -1 ? label.replace(/…?$/, `(&${letter})$&`) : `${label.slice(0, at)}&${label.slice(at)}`;
}

function addMnemonics({ label, items }: Menu, place: number): Menu {
  const marked = items.map((item): MenuItem => {
    if (item.kind === "role") return { ...item, label: addMnemonic(item.label, LETTERS[item.role]) };
    return item.kind === "action" ? { ...item, label: addMnemonic(item.label, LETTERS[item.action]) } : item;
  });
  return { label: addMnemonic(label, MENU_LETTERS[place]), items: marked };
}

export interface Menu {
  readonly label: string;
  readonly items: readonly MenuItem[];
}

const separator: MenuItem = { kind: "separator" };
/** Electron's own role labels are English in every language. */
const role = (name: MenuRole, words: Words["menu"]): MenuItem => ({
  kind: "role",
  role: name,
  label: words.roles[name],
});
const alias = (name: MenuRole, accelerator: string): MenuItem => ({ kind: "alias", role: name, accelerator });

/**
 * Zooming in is shown with a plus, which needs Shift on most keyboards: users press the bare key, or the one of the
 * number pad.
 */
const zoomKeys: readonly MenuItem[] = [
  alias("zoomIn", "CommandOrControl+="),
  alias("zoomIn", "CommandOrControl+numadd"),
  alias("zoomOut", "CommandOrControl+numsub"),
  alias("resetZoom", "CommandOrControl+num0"),
];

const createMacMenu = (words: Words["menu"], own: readonly MenuItem[], quit: MenuItem): Menu => ({
  label: "Postern",
  items: [
    ...own,
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

/** A right click in a page, as reported by Chromium. */
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

/** Context menu of fields and selected text; empty elsewhere, because the pages have their own controls. */
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
  const action = (label: string, name: MenuAction, accelerator?: string): MenuItem => ({
    kind: "action",
    label,
    action: name,
    ...(accelerator === undefined ? {} : { accelerator }),
  });
  const quit = action(tray.quit, "quit", "CommandOrControl+Q");
  const updates = action(words.checkForUpdates, "updates");
  const settings = action(words.settings, "settings", "CommandOrControl+,");
  const about = action(words.about, "about");
  const file: readonly MenuItem[] = [
    action(words.openWindow, "open", "CommandOrControl+N"),
    action(tray.copyBaseUrl, "copy-base-url", "CommandOrControl+Shift+C"),
    separator,
    ...(isMac ? [] : [settings, separator]),
    action(words.closeWindow, "close-window", "CommandOrControl+W"),
    ...(isMac ? [] : [separator, updates, separator, quit]),
  ];
  const view: readonly MenuItem[] = [
    action(words.back, "back", isMac ? "Command+[" : "Alt+Left"),
    action(words.forward, "forward", isMac ? "Command+]" : "Alt+Right"),
    action(words.reload, "reload", "CommandOrControl+R"),
    separator,
    role("resetZoom", words),
    role("zoomIn", words),
    role("zoomOut", words),
    ...zoomKeys,
    separator,
    role("togglefullscreen", words),
  ];
  const menus: readonly Menu[] = [
    { label: words.file, items: file },
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
        separator,
        action(words.find, "find", "CommandOrControl+F"),
        action(words.findNext, "find-next", isMac ? "Command+G" : "F3"),
        action(words.findPrevious, "find-previous", isMac ? "Shift+Command+G" : "Shift+F3"),
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
        action(words.guide, "guide"),
        separator,
        action(words.showLog, "show-log"),
        action(words.diagnostics, "diagnostics"),
        action(words.report, "report"),
        ...(isMac ? [] : [separator, about]),
      ],
    },
  ];
  return isMac
    ? [createMacMenu(words, [about, updates, separator, settings], quit), ...menus]
    : menus.map(addMnemonics);
}
