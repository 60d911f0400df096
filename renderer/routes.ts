import {
  Activity,
  Blocks,
  Cable,
  ChartColumn,
  Clapperboard,
  FlaskConical,
  Gauge,
  Images,
  KeyRound,
  Layers,
  Plug,
  Settings,
  type LucideIcon,
} from "lucide-react";
import type { ComponentType } from "react";
import type { OverlayName } from "./components/frame/overlays.ts";
import { ClientsPage } from "./features/clients/clients-page.tsx";
import { ConnectionsPage } from "./features/connections/connections-page.tsx";
import { KeysPage } from "./features/keys/keys-page.tsx";
import { LibraryPage } from "./features/library/library-page.tsx";
import { McpPage } from "./features/mcp/mcp-page.tsx";
import { ModelsPage } from "./features/models/models-page.tsx";
import { OverviewPage } from "./features/overview/overview-page.tsx";
import { PlaygroundPage } from "./features/playground/playground-page.tsx";
import { RequestsPage } from "./features/requests/requests-page.tsx";
import { SettingsPage } from "./features/settings/settings-page.tsx";
import { TasksPage } from "./features/tasks/tasks-page.tsx";
import { UsagePage } from "./features/usage/usage-page.tsx";
import type { Messages } from "./locales/messages.ts";

export interface Page {
  /** Its path in the fragment, and its name in the catalogue. */
  readonly id: keyof Messages["pages"];
  /** The letter after `g`. */
  readonly letter: string;
  readonly icon: LucideIcon;
  readonly component: ComponentType;
  /** What its primary button, and the letter `n`, open; absent where there is no such button. */
  readonly primary?: OverlayName;
  /** Narrow windows have room for a few pages at their foot: this one is in the menu beside them. */
  readonly inMenu?: true;
}

/** The sidebar, group by group. Only pages that exist are listed. */
export const pageGroups: readonly (readonly Page[])[] = [
  [{ id: "overview", letter: "o", icon: Gauge, component: OverviewPage, primary: "createKey" }],
  [
    { id: "models", letter: "d", icon: Layers, component: ModelsPage, inMenu: true },
    { id: "connections", letter: "c", icon: Plug, component: ConnectionsPage, primary: "addConnection", inMenu: true },
    { id: "keys", letter: "k", icon: KeyRound, component: KeysPage, primary: "createKey" },
  ],
  [
    { id: "usage", letter: "u", icon: ChartColumn, component: UsagePage },
    { id: "requests", letter: "r", icon: Activity, component: RequestsPage, inMenu: true },
  ],
  [
    { id: "tasks", letter: "t", icon: Clapperboard, component: TasksPage },
    { id: "library", letter: "l", icon: Images, component: LibraryPage },
  ],
  [
    { id: "playground", letter: "p", icon: FlaskConical, component: PlaygroundPage, inMenu: true },
    { id: "clients", letter: "i", icon: Cable, component: ClientsPage, inMenu: true },
    { id: "mcp", letter: "m", icon: Blocks, component: McpPage, inMenu: true },
  ],
  [{ id: "settings", letter: "s", icon: Settings, component: SettingsPage, inMenu: true }],
];

export const pages: readonly Page[] = pageGroups.flat();

/** The page of an address; the overview for none. */
export function pageAt(path: string): Page | undefined {
  return path === "" ? pages[0] : pages.find(({ id }) => id === path);
}
