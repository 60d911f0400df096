import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startBrowser, watchedPage, type WatchOptions } from "./browser.ts";
import { startFakeControl } from "./fake-control.ts";
import { manyModels } from "./fake-models.ts";
import { serveSettings } from "./fake-settings.ts";
import { startGateway, type RunningGateway } from "./gateway.ts";
import { callTools } from "./screenshot-calls.ts";
import { shootClients, startWithClients } from "./screenshot-clients.ts";
import { shootPlayground } from "./screenshot-playground.ts";
import { makeRequests, shootRequests, switchRecordingOn } from "./screenshot-requests.ts";
import { makeResults, SHOWN } from "./screenshot-results.ts";

/**
 * Renews docs/screenshots, by hand: `node main/build.mjs renderer && node test/e2e/browser/screenshots.ts`.
 * The figures of the overview, keys and connections are the fixtures', so that pictures of two versions differ only
 * where the pages do; tasks, library and MCP show what the sandbox of a real Postern has made.
 */
const folder = join(import.meta.dirname, "../../../docs/screenshots");
const fixed = ["overview", "keys", "connections", "models", "usage"] as const;
const themes = ["light", "dark"] as const;
const sizes = [
  { suffix: "", width: 1280, height: 800 },
  { suffix: "-360", width: 360, height: 740 },
] as const;

/** Pages of each theme and size, one after the other; `name` gives a picture its file. */
async function inEachDress(
  browser: Browser,
  origin: string,
  shoot: (page: Page, save: Save) => Promise<void>,
): Promise<void> {
  for (const theme of themes) {
    for (const { suffix, width, height } of sizes) {
      const options: WatchOptions = { theme, width, height };
      const { page, context } = await watchedPage(browser, origin, options);
      await shoot(page, async (name) => {
        await page.mouse.move(0, 0);
        await page.evaluate("document.fonts.ready");
        await page.screenshot({ path: join(folder, `${name}-${theme}${suffix}.png`) });
      });
      await context.close();
    }
  }
}

async function shootFixed(browser: Browser): Promise<void> {
  const fake = await startFakeControl();
  fake.state = { ...fake.state, url: "http://127.0.0.1:6174" };
  fake.answers.set("GET /control/models", { status: 200, body: { data: manyModels } });
  serveSettings(fake);
  await inEachDress(browser, fake.url, async (page, save) => {
    await page.goto(fake.ui);
    await page.locator("[data-row]").first().waitFor();
    for (const name of fixed) {
      await page.goto(`${fake.url}/#/${name}`);
      await page.getByRole("heading", { level: 1, name, exact: false }).waitFor();
      if (name === "models") await page.locator("[data-row]").first().waitFor();
      if (name === "usage") await page.locator(".plot canvas").nth(2).waitFor();
      await save(name);
    }
    await page.goto(`${fake.url}/#/models?model=gpt-5.4`);
    await page.getByRole("dialog").getByText("Copy as curl").waitFor();
    await save("model-detail");
    await page.goto(`${fake.url}/#/settings?section=data`);
    await page.getByText("before a restore").waitFor();
    await save("settings");
  });
  await fake.close();
}

async function shootMade(browser: Browser): Promise<void> {
  const gateway = await startGateway();
  try {
    await makeResults(gateway);
    await inEachDress(browser, gateway.url, (page, save) => shootResults(page, gateway, save));
    await shootLog(browser, gateway);
    await inEachDress(browser, gateway.url, (page, save) => shootPlayground(page, gateway, save));
    await callTools(gateway);
    await inEachDress(browser, gateway.url, (page, save) => shootTools(page, gateway, save));
  } finally {
    await gateway.stop();
  }
}

async function shootLog(browser: Browser, gateway: RunningGateway): Promise<void> {
  const { page, context } = await watchedPage(browser, gateway.url, {});
  await switchRecordingOn(page, gateway);
  await context.close();
  const endRunning = await makeRequests(gateway);
  await inEachDress(browser, gateway.url, (one, save) => shootRequests(one, gateway, save));
  endRunning();
}

type Save = (name: string) => Promise<void>;

async function shootResults(page: Page, gateway: RunningGateway, save: Save): Promise<void> {
  await page.goto(await gateway.freshAddress());
  await page.goto(`${gateway.url}/#/library`);
  const tile = page.getByRole("option").filter({ hasText: SHOWN });
  await tile.locator("img").waitFor();
  // Each still is drawn, and each picture is there.
  await until(page, "document.querySelectorAll('[data-tile] img').length >= 10");
  await until(page, "[...document.querySelectorAll('[data-tile] img')].every((image) => image.complete)");
  await save("library");
  await tile.click();
  await showFrame(page);
  await save("library-detail");
  await page.goto(`${gateway.url}/#/tasks`);
  const row = page.locator("[data-row]").filter({ hasText: SHOWN });
  await row.waitFor();
  await save("tasks");
  await row.click();
  await showFrame(page);
  await save("task-detail");
}

/** How clients connect, the live calls, and a tool that has been tried. */
async function shootTools(page: Page, gateway: RunningGateway, save: Save): Promise<void> {
  await page.goto(await gateway.freshAddress());
  await page.goto(`${gateway.url}/#/mcp`);
  const calls = page.getByRole("grid", { name: "Live calls" });
  await calls.getByText("Running", { exact: true }).waitFor();
  await save("mcp");
  await page.evaluate("document.querySelector('main').scrollTo({ top: 1e6 })");
  await save("mcp-calls");
  await page.goto(`${gateway.url}/#/mcp?tool=generate_image`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("model", { exact: true }).fill("gpt-image-1");
  await dialog.getByLabel("prompt", { exact: true }).fill("A heron over the marsh, woodcut in two colours");
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await dialog.locator("img").waitFor();
  await until(page, "document.querySelector('[role=dialog] img').naturalWidth > 0");
  await dialog.getByText("Result", { exact: true }).scrollIntoViewIfNeeded();
  await save("mcp-tool");
}

/** Waits for the dialog's video to have a picture. */
async function showFrame(page: Page): Promise<void> {
  await page.getByRole("dialog").locator("video").waitFor();
  await until(page, "document.querySelector('[role=dialog] video').readyState >= 2");
  // Chromium's own sign that it loads fades away.
  await page.waitForTimeout(1_500);
}

/** The pages' policy forbids what playwright's own waiting does. */
async function until(page: Page, condition: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await page.evaluate<boolean>(condition)) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`never true: ${condition}`);
}

await mkdir(folder, { recursive: true });
const browser = await startBrowser();
await shootFixed(browser);
await shootMade(browser);
const clients = await startWithClients();
await inEachDress(browser, clients.gateway.url, (page, save) => shootClients(page, clients.gateway, save));
await clients.stop();
await browser.close();
