import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { createGateway } from "../../gateway/index.ts";
import { silentLog } from "../../gateway/lib/log.ts";
import { LOCAL_SERVERS } from "../../gateway/services/connections/local-servers.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";
import { VERSION } from "../../gateway/version.ts";
import { TestGateway } from "../support/running-gateway.ts";
import { startBrowser, watchedPage } from "./browser/browser.ts";
import { LAST_MOMENT, makeWeek, startServers, WeekClock } from "./screenshot-data.ts";

/**
 * Makes every picture of docs/screenshots, by hand: `npm run screenshots`.
 * A Postern of its own at the usual port works through one week of calls (screenshot-data.ts), the same each time, so
 * that pictures of two versions differ only where the pages do. Nothing leaves this machine.
 */
const project = join(import.meta.dirname, "../..");
const pictures = join(project, "docs/screenshots");
const PORT = 6174;
const QUALITY = 0.88;
const MOST_BYTES = 1_500_000;
/** After which a page has drawn what it fetched: it has no sign of that, since its stream of events never ends. */
const DRAWN_MS = 1_000;

/** A home folder by the same name each time, because pages show it. */
async function makeHome(): Promise<string> {
  const home = join(tmpdir(), "ada");
  await mkdir(home);
  await mkdir(join(home, ".claude"));
  await mkdir(join(home, ".codex"));
  await writeFile(join(home, ".claude/settings.json"), '{\n  "theme": "dark"\n}\n', { mode: 0o600 });
  await writeFile(join(home, ".codex/config.toml"), '# mine\nmodel = "gpt-5.5"\napproval_policy = "on-request"\n', {
    mode: 0o600,
  });
  return home;
}

async function startPostern(home: string, clock: WeekClock): Promise<TestGateway> {
  const dataDir = join(home, ".local/share/postern");
  const gateway = await createGateway({
    dataDir,
    host: "127.0.0.1",
    port: PORT,
    env: { HOME: home, POSTERN_SANDBOX: "on" },
    sealer: fileSealer(),
    assetsDir: join(project, "out/renderer"),
    version: VERSION,
    clock,
    uptime: clock.uptime,
    localServers: LOCAL_SERVERS.filter(({ id }) => id !== "llama-cpp"),
    log: silentLog,
  });
  return new TestGateway(gateway, dataDir);
}

/** A page of Postern at the last moment of the week. */
async function openPage(browser: Browser, postern: TestGateway, dark = false): Promise<Page> {
  const { page } = await watchedPage(browser, postern.url, { theme: dark ? "dark" : "light" });
  await page.clock.setFixedTime(LAST_MOMENT + 60_000);
  if (dark) await page.addInitScript('localStorage.setItem("postern.language", "zh")');
  await page.goto(`${postern.url}/#token=${postern.gateway.issuePageToken()}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

let total = 0;

/** Writes what the page shows as WebP. Chromium itself makes it, in a tab without Postern's policy. */
async function save(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(DRAWN_MS);
  await page.evaluate("document.fonts.ready");
  const png = (await page.screenshot({ animations: "disabled" })).toString("base64");
  const context = await page.context().browser()?.newContext();
  if (context === undefined) throw new Error("the browser is gone");
  const tab = await context.newPage();
  const url = await tab.evaluate<string>(`(async () => {
    const image = await createImageBitmap(await (await fetch("data:image/png;base64,${png}")).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: ${QUALITY} });
    return String.fromCharCode(...new Uint8Array(await blob.arrayBuffer()));
  })()`);
  await context.close();
  const bytes = Buffer.from(url, "latin1");
  total += bytes.length;
  await writeFile(join(pictures, `${name}.webp`), bytes);
  console.log(`${name}.webp`, bytes.length);
}

/** The pages' policy forbids what playwright's own waiting does. */
async function until(page: Page, condition: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await page.evaluate<boolean>(condition)) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`never true: ${condition}`);
}

async function show(page: Page, hash: string): Promise<void> {
  await page.goto(`http://127.0.0.1:${PORT}/#/${hash}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForTimeout(DRAWN_MS);
}

async function shootLists(page: Page): Promise<void> {
  for (const [name, hash] of [
    ["overview", "overview"],
    ["requests", "requests"],
    ["tasks", "tasks"],
    ["models", "models"],
    ["keys", "keys"],
  ] as const) {
    await show(page, hash);
    await page.locator("[data-row]").first().waitFor();
    await save(page, name);
  }
  await show(page, "connections");
  await page.getByText("Workstation").first().waitFor();
  await save(page, "providers");
  await show(page, "usage?range=7d");
  await page.locator(".plot canvas").nth(2).waitFor();
  await save(page, "usage");
}

async function shootSettings(page: Page): Promise<void> {
  await show(page, "settings?section=data");
  await page.getByRole("button", { name: "Restore" }).first().waitFor();
  await save(page, "settings");
}

async function shootLibrary(page: Page): Promise<void> {
  await show(page, "library");
  await until(page, "document.querySelectorAll('[data-tile] img').length >= 10");
  await until(page, "[...document.querySelectorAll('[data-tile] img')].every((image) => image.complete)");
  await save(page, "library");
}

async function shootPlayground(page: Page): Promise<void> {
  await show(page, "playground?kind=chat&model=gpt-5.4-mini");
  await page.getByLabel("Compare with").selectOption("claude-sonnet-4-5");
  await page.getByLabel("Message", { exact: true }).fill("Name three things that a gateway is good for.");
  await page.keyboard.press("Control+Enter");
  await page
    .getByText(/^took \d/)
    .nth(1)
    .waitFor();
  await save(page, "playground");
}

/** Claude Code's change, before it is written. */
async function shootClients(page: Page): Promise<void> {
  await show(page, "clients");
  await page.getByRole("button", { name: "Connect Claude Code", exact: true }).click();
  await page.getByRole("dialog").getByText("ANTHROPIC_AUTH_TOKEN").first().waitFor();
  await save(page, "clients");
  await page.keyboard.press("Escape");
}

const home = await makeHome();
const servers = await startServers();
const clock = new WeekClock();
const postern = await startPostern(home, clock);
const browser = await startBrowser();
try {
  await mkdir(pictures, { recursive: true });
  const endRunning = await makeWeek(postern, clock);
  const page = await openPage(browser, postern);
  await shootLists(page);
  await shootLibrary(page);
  await shootClients(page);
  const night = await openPage(browser, postern, true);
  await show(night, "overview");
  await night.locator("[data-row]").first().waitFor();
  await save(night, "overview-dark-zh");
  endRunning();
  await shootPlayground(page);
  await postern.ask("POST", "/backup");
  await shootSettings(page);
  if (total > MOST_BYTES) throw new Error(`${total} bytes of pictures, more than ${MOST_BYTES}`);
} finally {
  await browser.close();
  await postern.stop();
  await Promise.all(servers.map((server) => server.close()));
  await rm(home, { recursive: true, force: true });
}
