import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  axeFindings,
  closeAll,
  focused,
  listening,
  sidewaysScroll,
  startBrowser,
  watchedPage,
  type Watched,
  type WatchOptions,
} from "./browser.ts";
import { refusal, startFakeControl, type FakeControl } from "./fake-control.ts";

/** Each page and dialog in every dress: light, dark, narrow, magnified, in forced colours. */
let browser: Browser;
let fake: FakeControl;
const opened: Watched[] = [];

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  fake = await startFakeControl();
});
afterEach(async () => {
  await closeAll(opened);
  await fake.close();
});

async function openAt(path: keyof typeof titles, options: WatchOptions = {}): Promise<Page> {
  const watched = await watchedPage(browser, fake.url, options);
  opened.push(watched);
  await watched.page.goto(fake.ui);
  await listening(watched.page);
  await show(watched.page, path);
  return watched.page;
}

const titles = { overview: "Overview", keys: "Keys", connections: "Connections" } as const;
const pages = ["overview", "keys", "connections"] as const;

/** Goes to a page and waits for its data: its own heading, something to see, and nothing that still loads. */
async function show(page: Page, path: keyof typeof titles): Promise<void> {
  await page.goto(`${fake.url}/#/${path}`);
  await page.getByRole("heading", { level: 1, name: titles[path], exact: true }).waitFor();
  await page.locator("main").locator(".panel, p").first().waitFor();
  await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
}

describe.each(["light", "dark"] as const)("in %s", (theme) => {
  const places = [1280, 360].flatMap((width) => pages.map((path) => [path, width] as const));
  it.each(places)("axe finds nothing on %s at %i px, and it does not scroll sideways", async (path, width) => {
    const page = await openAt(path, { theme, width, height: 740 });
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
  });

  it("axe finds nothing in the dialogs", async () => {
    const page = await openAt("overview", { theme });
    const dialogs: [string, string][] = [
      ["Control+k", "Search or jump to"],
      ["?", "Keyboard shortcuts"],
      ["n", "Create a key"],
    ];
    for (const [key, name] of dialogs) {
      await page.keyboard.press(key);
      await page.getByRole("dialog", { name }).waitFor();
      expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.locator("[data-row]").filter({ hasText: "2 images" }).click();
    await page.getByRole("dialog").getByText("$0.02 each").waitFor();
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  });
});

it("axe finds nothing where there is no session", async () => {
  const page = await openAt("overview");
  await page.reload();
  await page.getByRole("heading", { name: "Open the pages again" }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

it("axe finds nothing when everything is empty", async () => {
  fake.keys = [];
  fake.connections = [];
  fake.receipts = [];
  const page = await openAt("overview");
  for (const path of pages) {
    await show(page, path);
    await page.getByText(/^(No request yet|No keys yet|No vendor is connected)$/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  }
});

it("shows how to point Claude Code and Codex here, whole even in a narrow window", async () => {
  const page = await openAt("overview", { width: 360, height: 740 });
  const panel = page.getByRole("tabpanel");
  await page.getByRole("tab", { name: "Claude Code" }).click();
  await panel.getByText(`export ANTHROPIC_BASE_URL=${fake.url}`).waitFor();
  await page.getByRole("tab", { name: "Codex" }).click();
  await panel.getByText('wire_api = "responses"').waitFor();
  const code = "document.querySelector('[role=tabpanel] pre')";
  expect(await page.evaluate(`${code}.scrollHeight - ${code}.clientHeight`)).toBe(0);
  expect(await axeFindings(page, "[role=tabpanel]")).toEqual([]);
  expect(await sidewaysScroll(page)).toBe(0);
});

it("fits a window at 200 % zoom", async () => {
  // 200 % of a window of 1280 × 800 leaves 640 × 400 CSS pixels.
  const page = await openAt("overview", { width: 640, height: 400 });
  for (const path of pages) {
    await show(page, path);
    expect(await sidewaysScroll(page)).toBe(0);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
  }
});

it("stays legible in forced colours", async () => {
  const page = await openAt("keys");
  await page.emulateMedia({ forcedColors: "active" });
  await page.getByRole("meter").first().waitFor();
  const ground = await page.evaluate<string>(
    "getComputedStyle(document.querySelector('[role=meter] span:last-child:not(:has(*))')).backgroundColor",
  );
  expect(ground).not.toMatch(/rgba?\(0, 0, 0(, 0)?\)/);
});

describe("keyboard", () => {
  it("goes to pages with g and a letter, and to anything by its name", async () => {
    const page = await openAt("overview");
    await page.keyboard.type("gc");
    await page.getByRole("heading", { level: 1, name: "Connections" }).waitFor();
    await page.keyboard.press("Control+k");
    await focused(page.getByRole("combobox", { name: "Go to a page, or run an action" }));
    await page.keyboard.type("nightly");
    await page.locator("[role=option][data-highlighted]").filter({ hasText: "Nightly evaluation" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    await expect.poll(() => page.locator("[data-row]").count()).toBe(1);
    expect(page.url()).toContain("q=Nightly");
  });

  it("moves over rows with j and k, opens them with Enter and their menu with Space", async () => {
    const page = await openAt("keys");
    await page.locator("[data-row]").first().focus();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Change limits" }).waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Claude Code");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await focused(page.getByRole("row").filter({ hasText: "Claude Code" }));
    await page.keyboard.press(" ");
    await page.getByRole("menu").waitFor();
  });
});

describe("preferences", () => {
  it("keep the theme over a reload and follow the system without one", async () => {
    const page = await openAt("overview", { theme: "light" });
    const ground = (): Promise<string> =>
      page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    const light = await ground();
    await page.getByRole("button", { name: "Preferences" }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await expect.poll(ground).not.toBe(light);
    const dark = await ground();
    await page.goto(`${fake.url}/?again#token=fake-token`);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await expect.poll(ground).toBe(dark);
  });

  it("remember hidden columns", async () => {
    const page = await openAt("keys");
    await page.getByRole("columnheader", { name: "Expires" }).waitFor();
    await page.getByRole("button", { name: "Columns of Keys" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Expires" }).click();
    await page.getByRole("columnheader", { name: "Expires" }).waitFor({ state: "detached" });
    await page.goto(`${fake.url}/?again#token=fake-token`);
    await page.goto(`${fake.url}/?again#/keys`);
    // With it there is room for the hidden one, too: the table has been measured.
    await page.getByRole("columnheader", { name: "Limits" }).waitFor();
    expect(await page.getByRole("columnheader", { name: "Expires" }).count()).toBe(0);
  });

  it("speak Chinese when asked to", async () => {
    const page = await openAt("keys");
    await page.getByRole("button", { name: "Preferences" }).click();
    await page.getByRole("menuitemradio", { name: "中文" }).click();
    await page.getByRole("heading", { level: 1, name: "密钥" }).waitFor();
    await expect.poll(() => page.evaluate("document.documentElement.lang")).toBe("zh");
  });
});

it("puts a refusal of the gateway beside the field that it names", async () => {
  fake.answers.set("POST /control/keys", refusal(400, "A key named “Twice” exists already.", "invalid_value", "name"));
  const page = await openAt("keys");
  await page.keyboard.press("n");
  await page.getByLabel("Name").fill("Twice");
  await page.keyboard.press("Enter");
  await page.getByText("A key named “Twice” exists already.").waitFor();
  expect(await page.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
});
