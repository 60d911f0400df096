import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, type TestContext } from "vitest";
import { closeAll, listening, sharedBrowser, watchedPage, type Watched, type WatchOptions } from "./browser.ts";
import { startFakeControl, type FakeControl } from "./fake-control.ts";
import { startGateway, type RunningGateway } from "./gateway.ts";

/** The pages of one test file. After each test it throws when a page did what a page must not do. */
export interface PageSuite {
  /** The origin that the pages are served from. */
  readonly url: string;
  /**
   * A page at a place, which is what follows `#/`, once it listens to keys. It is loaded again and finds nothing stored;
   * what is opened later in the same test finds what the earlier ones have stored.
   */
  open(place?: string, options?: WatchOptions): Promise<Page>;
  /** Takes a page that is open to another place, without loading it again. */
  go(page: Page, place: string): Promise<void>;
  /** A page with storage of its own that shows nothing yet; all faults of it count like those of the others. */
  blank(options?: WatchOptions, origin?: string): Promise<Page>;
  /** What the pages of this test did until now that they must not do; taken out, so that the test goes on. */
  takeFaults(): string[];
}

export interface FakePages extends PageSuite {
  readonly fake: FakeControl;
}

export interface GatewayPages extends PageSuite {
  readonly gateway: RunningGateway;
}

/**
 * Pages over a fake control server, which is as new for each test.
 * @param furnish puts in what the tests of the file have in common, before each test
 * @param home the place that is opened where a test names none
 */
export function useFakePages(furnish: (fake: FakeControl) => unknown = () => undefined, home?: string): FakePages {
  let fake: FakeControl;
  beforeAll(async () => {
    fake = await startFakeControl();
  });
  // Registered first, it runs last: pages that are open still ask.
  afterAll(() => fake.close());
  beforeEach(() => {
    fake.reset();
    furnish(fake);
  });
  const pages = usePages({
    url: () => fake.url,
    token: () => Promise.resolve("fake-token"),
    home,
  });
  return Object.defineProperty(pages as FakePages, "fake", { get: () => fake });
}

/** @param start starts the Postern that all tests of the file share */
export function useGatewayPages(start: () => Promise<RunningGateway> = startGateway): GatewayPages {
  let started: RunningGateway | undefined;
  beforeAll(async () => {
    started = await start();
  }, 180_000);
  afterAll(() => started?.stop());
  const gateway = (): RunningGateway => {
    if (started === undefined) throw new Error("Postern has not started.");
    return started;
  };
  const pages = usePages({
    url: () => gateway().url,
    token: () => gateway().pageToken(),
  });
  return Object.defineProperty(pages as GatewayPages, "gateway", { get: gateway });
}

interface Host {
  url(): string;
  /** A fresh one-time token. */
  token(): Promise<string>;
  readonly home?: string | undefined;
}

/** A tab that the tests of a file use one after the other: a new one costs more than all that a test loads. */
interface Tab {
  readonly watched: Watched;
  isUsed: boolean;
}

function usePages(host: Host): PageSuite {
  let browser: Browser;
  /** They share one context, as the tabs of one person do. */
  let tabs: Tab[] = [];
  const others: Watched[] = [];

  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterAll(() => closeAll(tabs.map(({ watched }) => watched)));
  afterEach(async (test) => {
    const faults = takeFaults();
    await closeAll(others);
    if (
      !(await tidied(
        tabs.filter(({ isUsed }) => isUsed),
        test,
      ))
    ) {
      await closeAll(tabs.map(({ watched }) => watched));
      tabs = [];
    }
    if (faults.length > 0) throw new Error(`The pages are at fault:\n${faults.join("\n")}`);
  });

  const takeFaults = (): string[] =>
    [...tabs.map(({ watched }) => watched), ...others].flatMap(({ faults }) => faults.splice(0));

  async function freeTab(options: WatchOptions): Promise<Page> {
    let tab = tabs.find(({ isUsed }) => !isUsed);
    if (tab === undefined) {
      const watched = await watchedPage(browser, host.url(), options, tabs[0]?.watched.context);
      await watched.page.addInitScript(goThere);
      tab = { watched, isUsed: false };
      tabs.push(tab);
    }
    tab.isUsed = true;
    const { page } = tab.watched;
    // A tab behind another one draws once a second, and a click waits for two pictures that are alike.
    await page.bringToFront();
    const { width = 1280, height = 800, theme = "light", reducedMotion = true } = options;
    const now = page.viewportSize();
    if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height });
    await page.emulateMedia({
      colorScheme: theme,
      reducedMotion: reducedMotion ? "reduce" : "no-preference",
      forcedColors: "none",
    });
    return page;
  }

  return {
    get url() {
      return host.url();
    },
    async open(place = host.home ?? "overview", options = {}) {
      const [page, token] = await Promise.all([freeTab(options), host.token()]);
      const still = options.still === true ? "&still" : "";
      await page.goto(`${host.url()}/?at=${encodeURIComponent(place)}${still}#token=${encodeURIComponent(token)}`);
      await listening(page);
      return page;
    },
    async go(page, place) {
      await page.goto(`${host.url()}/#/${place}`);
    },
    async blank(options, origin = host.url()) {
      const watched = await watchedPage(browser, origin, options);
      others.push(watched);
      return watched.page;
    },
    takeFaults,
  };
}

/** Puts the place that is asked for where the token was, so that the page before it is not loaded first. */
function goThere(): void {
  const search = new URLSearchParams(location.search);
  const place = search.get("at");
  const now = Date.now();
  if (search.has("still")) Date.now = () => now;
  const replace = history.replaceState;
  if (place === null) return;
  history.replaceState = () => {
    history.replaceState = replace;
    history.replaceState(null, "", `/#/${place}`);
  };
}

/** Empties tabs for the next test. False where that cannot be: after a failure no one knows in what state they are. */
async function tidied(tabs: readonly Tab[], { task }: Readonly<TestContext>): Promise<boolean> {
  if (task.result?.state === "fail") return false;
  try {
    for (const tab of tabs) {
      await tab.watched.context.setOffline(false);
      await tab.watched.page.evaluate(async () => {
        localStorage.clear();
        sessionStorage.clear();
        for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name);
      });
      await tab.watched.page.goto("about:blank");
      tab.watched.faults.length = 0;
      tab.isUsed = false;
    }
    return true;
  } catch {
    return false;
  }
}
