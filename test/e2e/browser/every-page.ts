import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { PageId } from "../../../renderer/locales/messages.ts";
import type { WatchOptions } from "./browser.ts";
import type { FakeControl } from "./fake-control.ts";
import { serveHistory } from "./fake-history.ts";
import { addLibrary } from "./fake-library.ts";
import { addMcp } from "./fake-mcp.ts";
import { serveModels, someModels } from "./fake-models.ts";
import { someRoutes } from "./fake-routes.ts";
import { addSessions } from "./fake-sessions.ts";
import { serveSettings } from "./fake-settings.ts";
import { addFakeTasks } from "./fake-tasks.ts";
import { useFakePages, useGatewayPages, type PageSuite } from "./page-suite.ts";

/** All pages, section by section, for what must hold on each of them. */

/** What follows `#/`, and what is there once the place has its data. */
type Place = readonly [at: string, there: (page: Page) => Promise<unknown>];

const rowOf =
  (grid: string) =>
  (page: Page): Promise<void> =>
    page.getByRole("grid", { name: grid, exact: true }).locator("[data-row]").first().waitFor();
const tab =
  (name: string, content = ".panel") =>
  async (page: Page): Promise<void> => {
    await page.getByRole("tab", { name, exact: true, selected: true }).waitFor();
    await page.locator("main [role=tabpanel]").locator(content).first().waitFor();
  };

/** One line for each page of the sidebar, and of the tabs there. A page that has none is missed by `sidebar`. */
const places: Record<PageId, readonly Place[]> = {
  overview: [["overview", (page) => page.locator("main [data-row]").first().waitFor()]],
  models: [["models", rowOf("Models")]],
  connections: [["connections", (page) => page.getByRole("region", { name: "OpenAI", exact: true }).waitFor()]],
  routes: [["routes", (page) => page.getByRole("region", { name: "keep-working" }).waitFor()]],
  keys: [["keys", rowOf("Keys")]],
  usage: [
    [
      "usage?source=both&on=gpt-5.5",
      (page) => Promise.all([page.locator(".plot canvas").nth(2).waitFor(), page.getByText("$5.00 less").waitFor()]),
    ],
  ],
  requests: [["requests", rowOf("Requests")]],
  sessions: [["sessions", rowOf("Sessions")]],
  tasks: [["tasks", rowOf("Tasks")]],
  library: [["library", (page) => page.locator("[data-tile] img").first().waitFor()]],
  playground: ["Chat", "Image", "Edit", "Speech", "Transcription", "Video", "Embeddings"].map((name, index) => [
    `playground?kind=${["chat", "image", "edit", "speech", "transcription", "video", "embedding"][index]}`,
    tab(name, "[role=combobox]"),
  ]),
  import: [["import", (page) => page.getByRole("region", { name: "From another place" }).waitFor()]],
  clients: [["clients", (page) => page.getByRole("region", { name: "LangChain" }).waitFor()]],
  mcp: [["mcp", (page) => Promise.all(["Tools", "Live calls"].map((name) => rowOf(name)(page)))]],
  settings: [
    "General",
    "Network",
    "Data",
    "Budget",
    "Prices",
    "Search",
    "Webhooks",
    "Telemetry",
    "Updates",
    "About",
  ].map((name) => [`settings?section=${name.toLowerCase()}`, tab(name)]),
};

/** These ask the gateway for more than a fake control server has. */
const onReal: readonly string[] = ["playground", "clients", "import"];

/** Something of every kind, a few of each: axe looks at every cell. */
function furnish(fake: FakeControl): void {
  addLibrary(fake, 12);
  addFakeTasks(fake, 10);
  addMcp(fake);
  serveSettings(fake);
  fake.routes = [...someRoutes];
  serveModels(fake, someModels);
  serveHistory(fake);
  fake.receipts = fake.receipts.slice(0, 10);
  addSessions(fake);
  fake.receipts = fake.receipts.slice(-22);
}

export interface EveryPage {
  /** The pages that the sidebar leads to, by their paths, with the tabs of each: what the walk below goes to. */
  sidebar(): Promise<readonly string[]>;
  readonly known: readonly string[];
  /** Walks through all places and does something at each, once its data are there. */
  walk(options: WatchOptions, act: (page: Page, place: string) => Promise<void>): Promise<void>;
}

export function useEveryPage(): EveryPage {
  const fake = useFakePages(furnish);
  const real = useGatewayPages();
  async function through(suite: PageSuite, all: readonly Place[], options: WatchOptions, act: Act): Promise<void> {
    const page = await suite.open(all[0]?.[0], options);
    for (const [at, there] of all) {
      await suite.go(page, at);
      await page.locator("main h1").waitFor();
      await there(page);
      await expect.poll(() => page.locator("main [aria-busy=true]").count()).toBe(0);
      await expectAllTabs(page, at);
      await act(page, at);
    }
  }
  return {
    known: Object.keys(places),
    async sidebar() {
      return placesOf(await fake.open());
    },
    async walk(options, act) {
      for (const suite of [fake, real]) {
        const mine = Object.entries(places).filter(([name]) => onReal.includes(name) === (suite === real));
        await through(
          suite,
          mine.flatMap(([, all]) => all),
          options,
          act,
        );
      }
    },
  };
}

/** The paths that the sidebar leads to, with those of the tabs of each. */
export async function placesOf(page: Page): Promise<string[]> {
  const pathsOf = (links: Locator): Promise<string[]> =>
    links.evaluateAll((all) => all.map((link) => link.getAttribute("href")?.replace("#/", "") ?? ""));
  const sidebar = page.getByRole("navigation", { name: "Pages" });
  const found = new Set<string>();
  for (const path of await pathsOf(sidebar.getByRole("link"))) {
    await sidebar.locator(`a[href="#/${path}"]`).click();
    await sidebar.locator(`a[href="#/${path}"][aria-current]`).waitFor();
    // Until a page is fetched, its title stands there alone, without tabs.
    await expect.poll(() => page.locator("main [aria-busy=true]").count()).toBe(0);
    await page.locator("main h1").waitFor();
    for (const each of [path, ...(await pathsOf(page.locator("main header nav a")))]) found.add(each);
  }
  return [...found];
}

type Act = (page: Page, place: string) => Promise<void>;

/** A section or a kind that is new is missed here. */
async function expectAllTabs(page: Page, at: string): Promise<void> {
  const name = at.replace(/\?.*/, "");
  const all = Object.entries(places).find(([id]) => id === name)?.[1] ?? [];
  if (all.length === 1) return;
  expect(await page.locator("main").getByRole("tablist").first().getByRole("tab").count()).toBe(all.length);
}
