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
import type { OverlayName } from "./components/frame/overlays.ts";
import { createPart, type Part } from "./lib/part.ts";
import type { Messages } from "./locales/messages.ts";

export interface Page {
  /** Its path in the fragment, and its name in the catalogue. */
  readonly id: keyof Messages["pages"];
  /** The letter after `g`. */
  readonly letter: string;
  readonly icon: LucideIcon;
  /** Fetched when it is first shown, or before, when the browser has time. */
  readonly part: Part<object>;
  /** What its primary button, and the letter `n`, open; absent where there is no such button. */
  readonly primary?: OverlayName;
  /** Narrow windows have room for a few pages at their foot: this one is in the menu beside them. */
  readonly inMenu?: true;
}

const clients = createPart(async () => (await import("./features/clients/clients-page.tsx")).ClientsPage);
const connections = createPart(
  async () => (await import("./features/connections/connections-page.tsx")).ConnectionsPage,
);
const keys = createPart(async () => (await import("./features/keys/keys-page.tsx")).KeysPage);
const library = createPart(async () => (await import("./features/library/library-page.tsx")).LibraryPage);
const mcp = createPart(async () => (await import("./features/mcp/mcp-page.tsx")).McpPage);
const models = createPart(async () => (await import("./features/models/models-page.tsx")).ModelsPage);
const overview = createPart(async () => (await import("./features/overview/overview-page.tsx")).OverviewPage);
const playground = createPart(async () => (await import("./features/playground/playground-page.tsx")).PlaygroundPage);
const requests = createPart(async () => (await import("./features/requests/requests-page.tsx")).RequestsPage);
const settings = createPart(async () => (await import("./features/settings/settings-page.tsx")).SettingsPage);
const tasks = createPart(async () => (await import("./features/tasks/tasks-page.tsx")).TasksPage);
const usage = createPart(async () => (await import("./features/usage/usage-page.tsx")).UsagePage);

/** The sidebar, group by group. Only pages that exist are listed. */
export const pageGroups: readonly (readonly Page[])[] = [
  [{ id: "overview", letter: "o", icon: Gauge, part: overview, primary: "createKey" }],
  [
    { id: "models", letter: "d", icon: Layers, part: models, inMenu: true },
    { id: "connections", letter: "c", icon: Plug, part: connections, primary: "addConnection", inMenu: true },
    { id: "keys", letter: "k", icon: KeyRound, part: keys, primary: "createKey" },
  ],
  [
    { id: "usage", letter: "u", icon: ChartColumn, part: usage },
    { id: "requests", letter: "r", icon: Activity, part: requests, inMenu: true },
  ],
  [
    { id: "tasks", letter: "t", icon: Clapperboard, part: tasks },
    { id: "library", letter: "l", icon: Images, part: library },
  ],
  [
    { id: "playground", letter: "p", icon: FlaskConical, part: playground, inMenu: true },
    { id: "clients", letter: "i", icon: Cable, part: clients, inMenu: true },
    { id: "mcp", letter: "m", icon: Blocks, part: mcp, inMenu: true },
  ],
  [{ id: "settings", letter: "s", icon: Settings, part: settings, inMenu: true }],
];

export const pages: readonly Page[] = pageGroups.flat();

/** The page of an address; the overview for none. */
export function pageAt(path: string): Page | undefined {
  return path === "" ? pages[0] : pages.find(({ id }) => id === path);
}
