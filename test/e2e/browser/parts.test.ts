import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { closeAll, listening, startBrowser, watchedPage, type Watched } from "./browser.ts";
import { startFakeControl, type FakeControl } from "./fake-control.ts";

/** Pages come in parts: what begins, what follows when there is time, and what is said when a part does not come. */
let browser: Browser;
let fake: FakeControl;
const opened: Watched[] = [];
const requests: string[] = [];
let missing: RegExp | null;
let updated: boolean;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  fake = await startFakeControl();
  requests.length = 0;
  missing = null;
  updated = false;
  fake.serve = (_incoming, outgoing, { pathname }) => {
    if (pathname.startsWith("/assets/")) requests.push(pathname.replace(/^\/assets\/(.*)-[\w-]{8}\./, "$1."));
    const gone = missing?.test(pathname) === true;
    if (gone) outgoing.writeHead(404).end();
    else if (pathname === "/" && updated)
      outgoing.writeHead(200, { "content-type": "text/html" }).end("<p>Other pages");
    return gone || (pathname === "/" && updated);
  };
});
afterEach(async () => {
  await closeAll(opened);
  await fake.close();
});

async function open(): Promise<Page> {
  const watched = await watchedPage(browser, fake.url);
  opened.push(watched);
  await watched.page.goto(fake.ui);
  await listening(watched.page);
  return watched.page;
}

it("fetches the other pages and dialogs when it has time, so that they open without a network, and one language alone", async () => {
  const page = await open();
  await expect.poll(() => requests).toContain("settings-page.js");
  await page.context().setOffline(true);
  for (const name of ["Media", "Playground", "Keys", "Usage"]) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
  await page.keyboard.press("n");
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  expect(requests).toEqual(expect.arrayContaining(["first-en.js", "pages-en.js"]));
  expect(requests.filter((name) => name.includes("-zh"))).toEqual([]);
});

it("speaks the other language when its words have come, and goes on in this one when they do not", async () => {
  missing = /\/first-zh-/;
  const page = await open();
  const choose = async (language: string): Promise<void> => {
    await page.getByRole("button", { name: "Preferences" }).click();
    await page.getByRole("menuitemradio", { name: language }).click();
    await page.keyboard.press("Escape");
  };
  await choose("中文");
  await expect.poll(() => requests).toContain("first-zh.js");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
});

it("says that a page did not come and fetches it again when asked to", async () => {
  missing = /\/keys-page-/;
  const page = await open();
  // The last of those that are fetched unasked: from here on nothing mends it but the owner.
  await expect.poll(() => requests).toContain("settings-page.js");
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByText("This could not be loaded").waitFor();
  missing = null;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("grid", { name: "Keys" }).waitFor();
  expect(await page.getByText("This could not be loaded").count()).toBe(0);
});

it("says that Postern was updated when its parts have other names by now, and loads again when asked to", async () => {
  missing = /\/library-page-/;
  const page = await open();
  // The last of those that are fetched unasked: from here on nothing else fetches it.
  await expect.poll(() => requests).toContain("settings-page.js");
  updated = true;
  await page.getByRole("link", { name: "Media", exact: true }).click();
  await page.getByText("Postern was updated", { exact: true }).waitFor();
  updated = false;
  missing = null;
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Reload" }).click()]);
  await page.getByRole("heading", { level: 1, name: "Media" }).waitFor();
  expect(await page.getByText("Postern was updated", { exact: true }).count()).toBe(0);
});
