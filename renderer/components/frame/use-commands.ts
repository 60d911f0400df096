import {
  Clapperboard,
  Copy,
  Images,
  Keyboard,
  KeyRound,
  Languages,
  Monitor,
  Moon,
  Plug,
  Plus,
  Sun,
  Webhook,
  type LucideIcon,
} from "lucide-react";
import { useConnections, useGatewayState, useKeys } from "../../api/queries.ts";
import { languages, useSpeech } from "../../lib/i18n.tsx";
import { navigate } from "../../lib/router.ts";
import { chooseTheme, themes } from "../../lib/theme.ts";
import { pages } from "../../routes.ts";
import { useCopy } from "../ui/copy.tsx";
import { useNotify } from "../ui/toasts.tsx";
import type { OverlayName } from "./overlays.ts";

export interface Command {
  /** Unique among all commands. */
  readonly value: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly hint?: string;
  run(): void;
}

export interface CommandGroup {
  readonly value: string;
  readonly items: readonly Command[];
}

/** As much as a list can be searched for. */
const LONGEST_SEARCH = 500;
const themeIcons = { system: Monitor, light: Sun, dark: Moon } as const;

/**
 * Everything that the palette offers: pages, actions, each key and connection by its name, and the pages that can be
 * searched for what was typed. Those come last: who types a name means what has it.
 */
export function useCommands(open: (name: OverlayName) => void, typed: string): readonly CommandGroup[] {
  const { t, choose } = useSpeech();
  const { data: state } = useGatewayState();
  const { data: keys = [] } = useKeys();
  const { data: connections = [] } = useConnections();
  const { copy } = useCopy();
  const notify = useNotify();

  const copyAddress = async (address: string): Promise<void> => {
    if (await copy(address)) notify.said(t.app.copied);
  };
  const actions: Command[] = [
    { value: "create-key", label: t.keys.create, icon: Plus, run: () => open("createKey") },
    { value: "add-connection", label: t.connections.add, icon: Plus, run: () => open("addConnection") },
    ...(state === undefined
      ? []
      : (
          [
            ["copy-url", t.palette.copyBaseUrl, `${state.url}/v1`],
            ["copy-mcp", t.palette.copyMcpAddress, `${state.url}/mcp`],
          ] as const
        ).map(([value, label, address]) => ({
          value,
          label,
          icon: Copy,
          run: () => void copyAddress(address),
        }))),
    {
      value: "webhooks",
      label: t.palette.webhooks,
      icon: Webhook,
      run: () => navigate("tasks", { panel: "webhooks" }),
    },
    ...themes.map((theme) => ({
      value: `theme-${theme}`,
      label: t.palette.themeNamed(t.app.themes[theme]),
      icon: themeIcons[theme],
      run: () => chooseTheme(theme),
    })),
    ...languages.map(({ id, label }) => ({
      value: `language-${id}`,
      label: `${t.app.language}: ${label}`,
      icon: Languages,
      run: () => choose(id),
    })),
    { value: "shortcuts", label: t.app.shortcuts, icon: Keyboard, hint: "?", run: () => open("shortcuts") },
  ];
  const groups: CommandGroup[] = [
    {
      value: t.palette.pages,
      items: pages.map(({ id, letter, icon }) => ({
        value: `page-${id}`,
        label: t.pages[id],
        icon,
        hint: `g ${letter}`,
        run: () => navigate(id),
      })),
    },
    { value: t.palette.actions, items: actions },
    {
      value: t.palette.keys,
      items: keys.map(({ id, name, hint }) => ({
        value: `key-${id}`,
        label: name,
        icon: KeyRound,
        hint,
        run: () => navigate("keys", { q: name }),
      })),
    },
    {
      value: t.palette.connections,
      items: connections.map(({ id, name }) => ({
        value: `connection-${id}`,
        label: name,
        icon: Plug,
        run: () => navigate("connections"),
      })),
    },
  ];
  const q = typed.trim().slice(0, LONGEST_SEARCH);
  if (q !== "") {
    groups.push({
      value: t.palette.search,
      items: [
        {
          value: "search-tasks",
          label: t.palette.searchTasks(q),
          icon: Clapperboard,
          run: () => navigate("tasks", { q }),
        },
        {
          value: "search-library",
          label: t.palette.searchLibrary(q),
          icon: Images,
          run: () => navigate("library", { q }),
        },
      ],
    });
  }
  return groups.filter(({ items }) => items.length > 0);
}
