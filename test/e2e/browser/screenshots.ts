import { addModel } from "./model-picking.ts";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import { createGateway } from "../../../gateway/index.ts";
import { silentLog } from "../../../gateway/lib/log.ts";
import { LOCAL_SERVERS } from "../../../gateway/services/connections/local-servers.ts";
import { fileSealer } from "../../../gateway/store/data-key.ts";
import { VERSION } from "../../../gateway/version.ts";
import { findElectron } from "../../../main/launch/electron.mjs";
import { TestGateway } from "../../support/running-gateway.ts";
import { beginRunning, LAST_MOMENT, makeWeek, startServers, WeekClock } from "../screenshot-data.ts";

/**
 * Makes every picture of docs/screenshots, by hand: `npm run screenshots`, on Linux with a display and Electron.
 * A Postern at the usual port works through one week of calls (screenshot-data.ts), the same each time, so that pictures
 * of two versions differ only where the pages do; then the app opens its window on that week's last moment. Nothing
 * leaves this machine. A picture has no frame: that is the desktop's own. With OUT_DIR they go there.
 */
const project = join(import.meta.dirname, "../../..");
const pictures = process.env["OUT_DIR"] ?? join(project, "docs/screenshots");
const PORT = 6174;
const ADDRESS = `http://127.0.0.1:${PORT}`;
const QUALITY = 0.88;
const MOST_BYTES = 2_000_000;
/** After which a page has drawn what it fetched: it has no sign of that, since its stream of events never ends. */
const DRAWN_MS = 1_000;
/** Pages show it: `TMPDIR` keeps it short. */
const HOME = join(tmpdir(), "ada");
const DATA_DIR = join(HOME, ".local/share/postern");

async function makeHome(): Promise<void> {
  await mkdir(HOME);
  await mkdir(join(HOME, ".claude"));
  await mkdir(join(HOME, ".codex"));
  await writeFile(join(HOME, ".claude/settings.json"), '{\n  "theme": "dark"\n}\n', { mode: 0o600 });
  await writeFile(join(HOME, ".codex/config.toml"), '# mine\nmodel = "gpt-5.5"\napproval_policy = "on-request"\n', {
    mode: 0o600,
  });
}

const environment = { HOME, POSTERN_SANDBOX: "on" };

/** Without a window: the week's clock is moved by hand. */
async function startPostern(clock: WeekClock): Promise<TestGateway> {
  const gateway = await createGateway({
    dataDir: DATA_DIR,
    host: "127.0.0.1",
    port: PORT,
    env: environment,
    sealer: fileSealer(),
    assetsDir: join(project, "out/renderer"),
    version: VERSION,
    clock,
    uptime: clock.uptime,
    localServers: LOCAL_SERVERS.filter(({ id }) => id !== "llama-cpp"),
    log: silentLog,
  });
  return new TestGateway(gateway, DATA_DIR);
}

/** The app on the same folder, at the week's last moment, with its window open. */
async function startApp(): Promise<ElectronApplication> {
  const executablePath = findElectron(project, process.env);
  if (executablePath === null) throw new Error("There is no Electron here.");
  const own = ["--port", String(PORT), "--data-dir", DATA_DIR];
  return _electron.launch({
    executablePath,
    args: [join(import.meta.dirname, "../desktop/at-moment.mjs"), ...own],
    // The driver would show the light theme whatever the system says.
    colorScheme: null,
    env: { ...(process.env as Record<string, string>), ...environment, POSTERN_MOMENT: String(LAST_MOMENT) },
  });
}

async function openWindow(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.emulateMedia({ reducedMotion: "reduce" });
  // Where nothing but loopback is, Chromium says so.
  await page.addInitScript("Object.defineProperty(navigator, 'onLine', { get: () => true })");
  await page.clock.setFixedTime(LAST_MOMENT + 60_000);
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await dismissNotices(page);
  return page;
}

/** That the week was made without a desktop, and this desktop has no keyring, is no news to readers. */
async function dismissNotices(page: Page): Promise<void> {
  await page.waitForTimeout(DRAWN_MS);
  for (const reported of await page.getByRole("button", { name: "Dismiss this notice" }).all()) await reported.click();
}

let total = 0;

/** Writes what the window shows as WebP, which the page itself makes of it. */
async function save(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(DRAWN_MS);
  await page.evaluate("document.fonts.ready");
  const png = await app.evaluate(async ({ BrowserWindow }) => {
    const picture = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage();
    return picture?.toPNG().toString("base64") ?? "";
  });
  const text = await page.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob("${png}"), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: ${QUALITY} });
    return btoa([...new Uint8Array(await blob.arrayBuffer())].map((byte) => String.fromCharCode(byte)).join(""));
  })()`);
  const bytes = Buffer.from(text, "base64");
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
  await page.goto(`${ADDRESS}/#/${hash}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForTimeout(DRAWN_MS);
}

async function shootLists(page: Page): Promise<void> {
  for (const [name, hash] of [
    ["overview", "overview"],
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

/** The log, with one of its requests next to it. */
async function shootRequests(page: Page): Promise<void> {
  await show(page, "requests");
  await page.locator("[data-row]").filter({ hasText: "Claude Code" }).first().click();
  await page.locator("[data-panel]").getByText("Duration", { exact: true }).waitFor();
  await save(page, "requests");
}

async function shootSettings(page: Page): Promise<void> {
  await show(page, "settings?section=data");
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.locator("[aria-label=Dismiss]").click();
  // Both the folder and its backups.
  const fourth = page.getByRole("button", { name: "Restore" }).nth(3);
  await fourth.evaluate((button) => button.scrollIntoView({ block: "end" }));
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
  await addModel(page, "claude-sonnet-4-5");
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

/** By the system's own theme. */
async function shootNight(page: Page): Promise<void> {
  const setTheme = (theme: "dark" | "system"): Promise<void> =>
    app.evaluate(({ nativeTheme }, expected) => void (nativeTheme.themeSource = expected), theme);
  await setTheme("dark");
  await page.evaluate('localStorage.setItem("postern.language", "zh")');
  await page.reload();
  await show(page, "overview");
  await page.locator("[data-row]").first().waitFor();
  await save(page, "overview-dark-zh");
  await page.evaluate('localStorage.removeItem("postern.language")');
  await setTheme("system");
  await page.reload();
}

await makeHome();
const servers = await startServers();
const clock = new WeekClock();
const week = await startPostern(clock);
const secrets = await makeWeek(week, clock);
await week.gateway.close();
const app = await startApp();
try {
  await mkdir(pictures, { recursive: true });
  const page = await openWindow(app);
  const endRunning = await beginRunning(ADDRESS, secrets);
  await shootLists(page);
  await shootRequests(page);
  await shootLibrary(page);
  await shootClients(page);
  await shootNight(page);
  endRunning();
  await shootPlayground(page);
  await shootSettings(page);
  await app.close();
  if (total > MOST_BYTES) throw new Error(`${total} bytes of pictures, more than ${MOST_BYTES}`);
} finally {
  await app.close().catch(() => undefined);
  await Promise.all(servers.map((server) => server.close()));
  await rm(HOME, { recursive: true, force: true, maxRetries: 5 });
}
