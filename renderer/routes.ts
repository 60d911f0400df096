import {
  Activity,
  Blocks,
  Cable,
  ChartColumn,
  Clapperboard,
  FlaskConical,
  FolderInput,
  Gauge,
  Images,
  KeyRound,
  Layers,
  MessagesSquare,
  Plug,
  Settings,
  Waypoints,
  type LucideIcon,
} from "lucide-react";
import type { OverlayName } from "./components/frame/overlays.ts";
import type { Place } from "./components/frame/place.ts";
import { createPart, type Part } from "./lib/part.ts";
import type { Messages, PageId } from "./locales/messages.ts";

export interface Page {
  /** Path in the fragment, and name in the catalogue. */
  readonly id: PageId;
  /** The letter after `g`. */
  readonly letter: string;
  readonly icon: LucideIcon;
  /** Fetched when it is first shown, or before, when the browser has time. */
  readonly part: Part<object>;
  /** Overlay of its primary button and the letter `n`, or parameters that open one on it; absent without such a button. */
  readonly primary?: OverlayName | Readonly<Record<string, string>>;
}

/** An entry of the sidebar. Its icon is that of its first page. */
export interface Entry {
  /** Name in the catalogue, and address of its first page. */
  readonly id: keyof Messages["pages"];
  /** Page, or several as tabs. */
  readonly pages: readonly [Page, ...Page[]];
  /** Narrow windows have room for a few entries at their foot; the others are in the menu next to them. */
  readonly inBar?: true;
}

export interface EntryGroup {
  /** Label; absent for the first group. */
  readonly id?: keyof Messages["groups"];
  readonly entries: readonly Entry[];
}

const clients = createPart(async () => (await import("./features/clients/clients-page.tsx")).ClientsPage);
const connections = createPart(
  async () => (await import("./features/connections/connections-page.tsx")).ConnectionsPage,
);
const importing = createPart(async () => (await import("./features/import/import-page.tsx")).ImportPage);
const keys = createPart(async () => (await import("./features/keys/keys-page.tsx")).KeysPage);
const library = createPart(async () => (await import("./features/library/library-page.tsx")).LibraryPage);
const mcp = createPart(async () => (await import("./features/mcp/mcp-page.tsx")).McpPage);
const models = createPart(async () => (await import("./features/models/models-page.tsx")).ModelsPage);
const overview = createPart(async () => (await import("./features/overview/overview-page.tsx")).OverviewPage, {
  hasPageWords: false,
});
const playground = createPart(async () => (await import("./features/playground/playground-page.tsx")).PlaygroundPage);
const requests = createPart(async () => (await import("./features/requests/requests-page.tsx")).RequestsPage);
const routes = createPart(async () => (await import("./features/routes/routes-page.tsx")).RoutesPage);
const sessions = createPart(async () => (await import("./features/sessions/sessions-page.tsx")).SessionsPage);
const settings = createPart(async () => (await import("./features/settings/settings-page.tsx")).SettingsPage);
const tasks = createPart(async () => (await import("./features/tasks/tasks-page.tsx")).TasksPage);
const usage = createPart(async () => (await import("./features/usage/usage-page.tsx")).UsagePage);

const single = (page: Page, inBar?: true): Entry => ({ id: page.id, pages: [page], ...(inBar && { inBar }) });

/** The sidebar, group by group. Only pages that exist are listed. */
export const entryGroups: readonly EntryGroup[] = [
  {
    entries: [
      single({ id: "overview", letter: "o", icon: Gauge, part: overview, primary: "createKey" }, true),
      single({ id: "playground", letter: "p", icon: FlaskConical, part: playground }),
    ],
  },
  {
    id: "activity",
    entries: [
      {
        id: "requests",
        pages: [
          { id: "requests", letter: "r", icon: Activity, part: requests },
          { id: "sessions", letter: "i", icon: MessagesSquare, part: sessions },
        ],
        inBar: true,
      },
      single({ id: "usage", letter: "u", icon: ChartColumn, part: usage }, true),
      {
        id: "media",
        pages: [
          { id: "library", letter: "l", icon: Images, part: library },
          { id: "tasks", letter: "t", icon: Clapperboard, part: tasks },
        ],
        inBar: true,
      },
    ],
  },
  {
    id: "setup",
    entries: [
      {
        id: "providers",
        pages: [
          { id: "connections", letter: "c", icon: Plug, part: connections, primary: "addConnection" },
          { id: "models", letter: "d", icon: Layers, part: models },
          { id: "routes", letter: "e", icon: Waypoints, part: routes, primary: { new: "blank" } },
        ],
      },
      single({ id: "keys", letter: "k", icon: KeyRound, part: keys, primary: "createKey" }, true),
      {
        id: "apps",
        pages: [
          { id: "clients", letter: "a", icon: Cable, part: clients },
          { id: "mcp", letter: "m", icon: Blocks, part: mcp },
        ],
      },
    ],
  },
  {
    entries: [
      {
        id: "settings",
        pages: [
          { id: "settings", letter: "s", icon: Settings, part: settings },
          { id: "import", letter: "f", icon: FolderInput, part: importing },
        ],
      },
    ],
  },
];

export const entries: readonly Entry[] = entryGroups.flatMap((group) => group.entries);

export const pages: readonly Page[] = entries.flatMap((entry) => entry.pages);

/** Returns the page of an address, or the first page of its entry. The overview for none. */
export function getPage(path: string): Page | undefined {
  if (path === "") return pages[0];
  return pages.find(({ id }) => id === path) ?? entries.find(({ id }) => id === path)?.pages[0];
}

/** Returns the entry with the page of an address. */
export function getEntry(path: string): Entry | undefined {
  const page = getPage(path);
  return page === undefined ? undefined : entries.find((entry) => entry.pages.includes(page));
}

/** Place of each page, computed once, so that components comparing it do not render again. */
const places = new Map<Page, Place>(
  entries.flatMap(({ id, pages: own }) =>
    own.map((page) => [page, { page: page.id, entry: id, tabs: own.map((each) => each.id) }] as const),
  ),
);
export const getPlace = (page: Page): Place | undefined => places.get(page);

/** Returns the name of a page with its entry: "Media › Tasks"; only its own name if both are equal. */
export function formatPageName(page: Page, names: Messages["pages"]): string {
  const entry = entries.find((each) => each.pages.includes(page));
  return entry === undefined || entry.pages.length === 1 || names[entry.id] === names[page.id]
    ? names[page.id]
    : `${names[entry.id]} › ${names[page.id]}`;
}
