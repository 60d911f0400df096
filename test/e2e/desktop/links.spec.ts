import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeWindow, isVisible, missingDesktop, pageTitle, startOnABus, type OnABus } from "./on-a-bus.ts";
import { needs } from "../../support/needs.ts";

if (missingDesktop !== null) console.log(`\nskipped: ${missingDesktop}\n`);

let at: OnABus;

const SOON = { timeout: 15_000 };
/** Each link is a start of Electron, which takes seconds on a machine that is busy. */
const MANY_STARTS = { timeout: 180_000 };

/** Evaluates an expression in the page of the one window. */
const inPage = (expression: string): Promise<unknown> =>
  at.desktop.app.evaluate(
    ({ BrowserWindow }, code) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code),
    expression,
  );
const hash = (): Promise<unknown> => inPage("location.hash");
const windows = (): Promise<number> =>
  at.desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
const refusals = () => at.notices.shown.filter(({ title }) => title === "A link to Postern was refused");
/** Follows a link as the desktop does: by a second start. */
const follow = async (link: string): Promise<void> => {
  expect((await at.desktop.startAgain("--", link)).code).toBe(0);
};
const overview = () => at.desktop.window.getByRole("heading", { name: "Overview", level: 1 }).waitFor();

describe.skipIf(missingDesktop !== null)("a link to Postern that runs", needs(missingDesktop), () => {
  beforeEach(async () => {
    at = await startOnABus();
    await overview();
  });
  afterEach(() => at.end());

  it("opens every page, without reloading it", MANY_STARTS, async () => {
    await inPage("void (globalThis.stays = true)");
    const pages = ["models", "connections", "keys", "usage", "requests", "tasks", "library", "playground"];
    for (const page of [...pages, "clients", "mcp", "settings", "overview"]) {
      await follow(`postern://open?page=${page}`);
      // The overview is also where an address without a page leads.
      await expect.poll(hash, SOON).toBe(`#/${page}`);
      await expect.poll(() => pageTitle(at.desktop), SOON).not.toBe("");
    }
    expect(await inPage("globalThis.stays")).toBe(true);
  });

  it("opens one thing of a page", async () => {
    await follow("postern://open?page=tasks&id=vt_of-nobody");
    await expect.poll(hash, SOON).toBe("#/tasks?task=vt_of-nobody");
    await follow("POSTERN://open/?page=library&id=media_1");
    await expect.poll(hash, SOON).toBe("#/library?media=media_1");
  });

  it("fills in the dialogs and makes nothing", async () => {
    const keys = async () => (await at.control.call("listKeys")).data.length;
    const before = await keys();
    await follow("postern://key?name=From+a+link");
    const dialog = at.desktop.window.getByRole("dialog");
    await dialog.waitFor();
    expect(await dialog.getByRole("textbox").first().inputValue()).toBe("From a link");
    await at.desktop.window.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await follow("postern://connect?provider=anthropic");
    await dialog.waitFor();
    await at.desktop.window.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await keys()).toBe(before);
    expect((await at.control.call("listConnections")).data).toEqual([]);
  });

  it("is refused in words that repeat nothing of it when it is anything else", MANY_STARTS, async () => {
    await inPage("globalThis.seen = []; addEventListener('hashchange', () => seen.push(location.hash))");
    // A sample of test/main/policy/deep-link.test.ts: each is a start of its own.
    const refused = [
      "postern://connect?provider=openai&base_url=https://evil.example&api_key=sk-1234567890abcdef1234567890abcdef",
      "postern://connect?provider=openai&base_url=https://evil.example/v1",
      "postern://open?page=../../etc/passwd",
      "postern://delete?page=keys",
      "postern://key?name=%E2%80%AEevil",
      `postern://key?name=${"a".repeat(2_100)}`,
      `postern://key?name=${"a".repeat(100_000)}`,
    ];
    for (const link of refused) await follow(link);
    await follow("postern://open?page=usage");
    await expect.poll(hash, SOON).toBe("#/usage");
    expect(await inPage("seen")).toEqual(["#/usage"]);
    // At most one in ten seconds: how many that are depends on how fast this machine starts programs.
    const [first] = refusals();
    expect(first?.body).toBe("It carries something like a key. Keys never travel in links: paste them yourself.");
    expect(refusals().length).toBeLessThan(refused.length);
    const reports = refusals().map(({ body }) => body);
    expect(reports.filter((body) => /evil|nobody|passwd|aaaa|postern:/.test(body))).toEqual([]);
    expect(await windows()).toBe(1);
  });

  it("brings the window back that was closed, on its page", async () => {
    await closeWindow(at.desktop);
    await expect.poll(() => isVisible(at.desktop)).toBe(false);
    await follow("postern://open?page=tasks");
    await expect.poll(() => isVisible(at.desktop), SOON).toBe(true);
    await expect.poll(hash, SOON).toBe("#/tasks");
  });

  it("makes a window where there no longer exists", async () => {
    await at.desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.destroy());
    expect(await windows()).toBe(0);
    await follow("postern://open?page=tasks");
    await expect.poll(() => isVisible(at.desktop), SOON).toBe(true);
    await expect.poll(() => pageTitle(at.desktop), SOON).toBe("Media");
  });

  it("leaves one window on one of the pages when two come at once", async () => {
    const pages = ["tasks", "usage", "tasks"];
    await Promise.all(pages.map((page) => follow(`postern://open?page=${page}`)));
    await expect.poll(hash, SOON).toMatch(/^#\/(tasks|usage)$/);
    await expect.poll(() => pageTitle(at.desktop), SOON).toMatch(/^(Media|Usage)$/);
    expect(await windows()).toBe(1);
  });
});

describe.skipIf(missingDesktop !== null)("a link that starts Postern", needs(missingDesktop), () => {
  const starting = async (args: readonly string[], test: () => Promise<void>): Promise<void> => {
    at = await startOnABus({ args });
    try {
      await test();
    } finally {
      await at.end();
    }
  };

  it("opens its page in the first window", () =>
    starting(["--", "postern://open?page=tasks"], async () => {
      await expect.poll(() => pageTitle(at.desktop), SOON).toBe("Media");
      expect(await windows()).toBe(1);
    }));

  it("is refused with a notice, and the window opens as ever", () =>
    starting(["--", "postern://open?page=nowhere&--hidden"], async () => {
      await expect.poll(() => pageTitle(at.desktop), SOON).toBe("Overview");
      await expect.poll(() => refusals().length, SOON).toBe(1);
    }));

  it("opens a window where the session has started Postern without one", () =>
    starting(["--hidden"], async () => {
      expect(await windows()).toBe(0);
      await follow("postern://open?page=keys");
      await expect.poll(() => isVisible(at.desktop), SOON).toBe(true);
      await expect.poll(() => pageTitle(at.desktop), SOON).toBe("Keys");
    }));
});
