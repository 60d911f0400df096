import { modifier } from "../../lib/platform.ts";
import { formatPageName, pages, type Page } from "../../routes.ts";
import type { Messages } from "../../locales/messages.ts";

/** Shortcuts that work everywhere. The frame has one handler for each: see `globalShortcuts`. */
export type GlobalShortcut = "palette" | "primary" | "filter" | "next" | "previous" | "list";

interface Global {
  readonly id: GlobalShortcut;
  /** Key as named in lib/shortcuts.ts. */
  readonly on: string;
  text(t: Messages): string;
}

/** Shared table of the frame's listeners and the dialog's list, so that they cannot differ. */
export const globalShortcuts: readonly Global[] = [
  { id: "palette", on: "mod+k", text: (t) => t.shortcuts.palette },
  { id: "primary", on: "n", text: (t) => t.shortcuts.primary },
  { id: "filter", on: "/", text: (t) => t.shortcuts.filter },
  { id: "next", on: "j", text: (t) => t.shortcuts.next },
  { id: "previous", on: "k", text: (t) => t.shortcuts.previous },
  { id: "list", on: "?", text: (t) => t.shortcuts.list },
];

/** `g`, then the letter of a page. */
export const formatPageShortcut = ({ letter }: Page): string => `g ${letter}`;

export interface ShortcutLine {
  readonly keys: readonly string[];
  readonly text: string;
}

export interface ShortcutGroup {
  readonly title: string;
  readonly lines: readonly ShortcutLine[];
}

const getKeys = (on: string): readonly string[] =>
  on
    .split(/[ +]/)
    .map((key) => (key === "mod" ? modifier : key.length === 1 && on.startsWith("mod+") ? key.toUpperCase() : key));

/** All keys that the pages handle, grouped by context. */
export function listShortcutGroups(t: Messages): readonly ShortcutGroup[] {
  const line = (text: string, ...keys: string[]): ShortcutLine => ({ keys, text });
  const global = (id: GlobalShortcut): ShortcutLine[] =>
    globalShortcuts.filter((each) => each.id === id).map(({ on, text }) => ({ keys: getKeys(on), text: text(t) }));
  return [
    {
      title: t.shortcuts.anywhere,
      lines: [
        ...global("palette"),
        ...pages.map((page) => ({
          keys: getKeys(formatPageShortcut(page)),
          text: t.shortcuts.go(formatPageName(page, t.pages)),
        })),
        ...global("primary"),
        ...global("filter"),
        ...global("list"),
        line(t.shortcuts.closeOverlay, "Esc"),
      ],
    },
    {
      title: t.shortcuts.tables,
      lines: [
        ...global("next"),
        ...global("previous"),
        line(t.shortcuts.firstRow, "Home"),
        line(t.shortcuts.lastRow, "End"),
        line(t.shortcuts.openRow, "Enter"),
        line(t.shortcuts.menuRow, "Space"),
        line(t.shortcuts.inRow, "←", "→"),
        line(t.shortcuts.copyCurl, "c"),
      ],
    },
    {
      title: t.library.shortcuts.title,
      lines: [
        line(t.library.shortcuts.move, "←", "→", "↑", "↓"),
        line(t.library.shortcuts.open, "Enter"),
        line(t.library.shortcuts.select, "Space"),
        line(t.library.shortcuts.play, "a"),
        line(t.library.shortcuts.delete, "Delete"),
        line(t.library.shortcuts.leave, "Esc"),
      ],
    },
    {
      title: t.shortcuts.plots,
      lines: [
        line(t.shortcuts.crosshair, "←", "→"),
        line(t.shortcuts.openBar, "Enter"),
        line(t.shortcuts.crosshairOff, "Esc"),
      ],
    },
    {
      title: t.shortcuts.typing,
      lines: [
        line(t.shortcuts.sendChat, "Enter"),
        line(t.shortcuts.newLine, "Shift", "Enter"),
        line(t.shortcuts.send, modifier, "Enter"),
        line(t.shortcuts.stop, "Esc"),
      ],
    },
  ];
}
