import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { closeAll, startBrowser, type Watched } from "./browser.ts";
import { asNames, payloads } from "./hostile-payloads.ts";
import { startSeeded, type SeededGateway } from "./hostile-seed.ts";
import { intruders, suspicious, visit } from "./hostile-watch.ts";

/**
 * Whatever strangers say, the pages show it as text: nothing runs, nothing loads from elsewhere, nothing opens
 * unclicked, and no word breaks a page. Everything is brought in once; each test walks through a part of the pages.
 */
let browser: Browser;
let seeded: SeededGateway;
const opened: Watched[] = [];

beforeAll(async () => {
  [browser, seeded] = await Promise.all([startBrowser(), startSeeded()]);
}, 180_000);
afterEach(() => closeAll(opened));
afterAll(() => Promise.all([browser.close(), seeded.close()]));

async function open(theme: "light" | "dark" = "light", width = 1280): Promise<Page> {
  const watched = await suspicious(browser, seeded.gateway, { theme, width });
  opened.push(watched);
  return watched.page;
}

const go = (page: Page, hash: string): Promise<void> => visit(page, seeded.gateway, hash);
const rows = (page: Page): Locator => page.locator("main [data-row]");
const dialog = (page: Page): Locator => page.getByRole("dialog");

async function places(page: Page): Promise<string[]> {
  const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
  return links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
}

it("brought all of it in", () => {
  expect(payloads.length).toBeGreaterThanOrEqual(200);
  expect(seeded.statuses.get("control keys 200")).toBe(asNames.length);
  expect([...seeded.statuses.keys()].filter((name) => / 5\d\d$/.test(name))).toEqual([
    // The vendor that refuses its key.
    "/v1/chat/completions 502",
  ]);
  expect(seeded.statuses.get("/v1/chat/completions 502")).toBe(3);
});

it("would notice what is more than text", async () => {
  const page = await open();
  await page.evaluate(`{
    const link = document.createElement("a");
    link.setAttribute("href", "javascript:1");
    link.setAttribute("onfoo", "1");
    document.querySelector("main").append(link, document.createElement("marquee"));
    window.pwned = 1;
  }`);
  const found = await intruders(page);
  expect(found.map((line) => line.replace(/:.*/s, "")).toSorted()).toEqual([
    "a script ran",
    "address",
    "element",
    "handler",
  ]);
});

it.each(["light", "dark"] as const)("shows it as text on every page in %s, wide and narrow", async (theme) => {
  const page = await open(theme);
  const all = await places(page);
  expect(all.length).toBeGreaterThanOrEqual(11);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const hash of all) {
      await go(page, hash);
      expect.soft(await intruders(page), `${hash} at ${width} px`).toEqual([]);
    }
  }
});

it("shows requests, tasks, results, models and keys as text in their dialogs", async () => {
  const page = await open();
  const { data: tasks } = await seeded.control<{ data: readonly { id: string }[] }>("GET", "/tasks?limit=500");
  const { data: media } = await seeded.control<{ data: readonly { id: string }[] }>("GET", "/media?limit=500");
  const some = (list: readonly { id: string }[]): readonly string[] =>
    list.filter((_, index) => index % 40 === 0).map(({ id }) => id);
  const hashes = [
    ...[...seeded.shown.values()].map((id) => `#/requests?id=${id}`),
    ...some(tasks).map((id) => `#/tasks?task=${id}`),
    ...some(media).map((id) => `#/library?media=${id}`),
    ...payloads
      .filter((id, index) => index % 25 === 0 || id.length > 99)
      .map((id) => `#/models?model=${encodeURIComponent(id)}`),
  ];
  for (const hash of hashes) {
    await go(page, hash);
    await dialog(page).waitFor();
    for (const summary of await dialog(page).locator("summary").all()) await summary.click();
    expect.soft(await intruders(page), hash).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
  }
});

it("opens what a row offers, and comes back, by the keyboard alone", async () => {
  const page = await open();
  for (const hash of ["#/overview", "#/models", "#/keys", "#/requests", "#/tasks"]) {
    await go(page, hash);
    await rows(page).first().focus();
    await page.keyboard.press("j");
    await page.locator("main [data-row][data-active]:focus").waitFor();
    await page.keyboard.press("Enter");
    await dialog(page).waitFor();
    expect.soft(await intruders(page), `a row of ${hash}`).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await page.locator("main [data-row][data-active]:focus").waitFor();
  }
});

it("takes any address for a place that it has, or says that it has none", async () => {
  const page = await open();
  const all = await places(page);
  for (const [index, hash] of [...all.entries(), [0, "#/"] as const]) {
    await go(page, hash);
    const mine = payloads.filter((_, at) => hash === "#/" || at % (2 * all.length) === index);
    await page.evaluate(`(async () => {
      for (const payload of ${JSON.stringify(mine)}) {
        const text = encodeURIComponent(payload.toWellFormed());
        const query = ${JSON.stringify(PARAMS)}.map((name) => name + "=" + text).join("&");
        location.hash = ${JSON.stringify(hash)} + (${hash === "#/"} ? text : "?" + query);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    })()`);
    expect.soft(await intruders(page), `${hash} with parameters`).toEqual([]);
  }
  await page.goto(`${seeded.gateway.url}/#/keys`);
  await rows(page).first().waitFor();
});

it("shows in the playground whatever a model says, and finds what has an odd name", async () => {
  const page = await open();
  await seeded.unlock();
  await go(page, "#/playground?kind=chat&model=gpt-4.1");
  const message = page.getByLabel("Message", { exact: true });
  for (const [index, act] of ["say", "tool", "refuse", "fail"].entries()) {
    await message.fill(`act:${act} <script>window.pwned=1</script>`);
    await message.press("Control+Enter");
    await expect.poll(() => page.getByRole("link", { name: "Request", exact: true }).count()).toBe(index + 1);
    expect.soft(await intruders(page), `chat that answers with ${act}`).toEqual([]);
  }
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("combobox", { name: "Go to a page, or run an action" });
  for (const word of ["<script", "__proto__", "constructor", "\u202E", "=HYPER", "(((", "W".repeat(500)]) {
    await palette.fill(word);
    expect.soft(await intruders(page), `palette with ${word.slice(0, 20)}`).toEqual([]);
  }
  await page.keyboard.press("Escape");
});

it("copies cells and commands that do nothing but stand there", async () => {
  const page = await open();
  await go(page, "#/keys");
  await page.getByRole("button", { name: /columns/i }).click();
  await page
    .getByRole("menuitem", { name: "Copy as TSV" })
    .or(page.getByRole("menuitem", { name: /copy/i }))
    .click();
  await expect.poll(() => clipboard(page)).toContain("__proto__");
  const lines = (await clipboard(page)).split("\n");
  expect(lines.length).toBeGreaterThan(asNames.length);
  expect(new Set(lines.map((line) => line.split("\t").length)).size).toBe(1);
  expect(
    lines
      .flatMap((line) => line.split("\t"))
      .filter((cell) => /^["\s]*[=+@＝＋＠]/.test(cell) && !cell.startsWith('"""')),
  ).toEqual([]);
  expect(lines.some((line) => line.startsWith("'=HYPERLINK"))).toBe(true);

  const folder = await mkdtemp(join(tmpdir(), "postern-hostile-"));
  for (const hash of [...seeded.shown.values()].map((id) => `#/requests?id=${id}`)) {
    await go(page, hash);
    await dialog(page).getByRole("button", { name: "Copy as curl" }).click();
    await expect.poll(() => clipboard(page)).toContain("--data-raw");
    await harmlessInShell(await clipboard(page), folder);
    await page.evaluate("navigator.clipboard.writeText('')");
  }
  for (const payload of payloads.filter((each) => /' ?[;&\n]? ?&?&? ?touch|^@\/etc|^\$\(/.test(each))) {
    await go(page, `#/models?model=${encodeURIComponent(payload)}`);
    await dialog(page).getByRole("button", { name: "Copy as curl" }).click();
    await expect.poll(() => clipboard(page)).toContain("/v1/");
    await harmlessInShell(await clipboard(page), folder);
    await page.evaluate("navigator.clipboard.writeText('')");
  }
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

/** Names in addresses that some page reads. */
const PARAMS =
  "q id task media model key kind prompt section client sort order from to since range by status price min tool outcome".split(
    " ",
  );

const clipboard = (page: Page): Promise<string> => page.evaluate<string>("navigator.clipboard.readText()");

/** Runs a command with a curl that does nothing, in a folder where whatever else it did would be seen. */
async function harmlessInShell(command: string, folder: string): Promise<void> {
  // The words go to the stand-in one by one: more than two of them without a flag would be a torn quotation.
  const { stdout } = await promisify(execFile)("/bin/bash", ["-c", `curl() { echo "curl $#"; }\n${command}`], {
    cwd: folder,
  });
  expect(stdout).toMatch(/^curl \d+\n$/);
}
