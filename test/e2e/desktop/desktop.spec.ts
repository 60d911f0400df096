import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DesktopHook } from "../../../main/shell/test-hook.ts";
import { endDesktopApp, isPackaged, missing, startDesktopApp, type DesktopApp } from "./desktop-app.ts";
import { needs } from "../../support/needs.ts";

if (missing !== null) console.log(`\nskipped: ${missing}\n`);
else if (isPackaged) console.log("\nskipped: what the tray says (an installed app shows nothing of its inside)\n");

let desktop: DesktopApp;

/** What the tray says, by the hook of main/shell/test-hook.ts. */
const trayLabels = (): Promise<string[]> =>
  desktop.app.evaluate(() => {
    const hook = (globalThis as { posternDesktop?: DesktopHook }).posternDesktop;
    const model = hook?.tray() as { items: { label?: string }[] } | null | undefined;
    return (model?.items ?? []).flatMap((item) => item.label ?? []);
  });
/** Evaluates an expression in the page. */
const inPage = (expression: string): Promise<unknown> => desktop.window.evaluate(expression);
const isVisible = (): Promise<boolean> =>
  desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
const health = async (): Promise<number> => (await fetch(`${desktop.ready.url}/health`)).status;
const heading = () => desktop.window.getByRole("heading", { name: "Overview", level: 1 });

const chat = (content: string): Promise<Response> =>
  fetch(`${desktop.ready.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${desktop.ready.apiKey ?? ""}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o-mini", stream: true, messages: [{ role: "user", content }] }),
  });

describe.skipIf(missing !== null)("the desktop app in Electron", needs(missing), () => {
  beforeEach(async () => {
    desktop = await startDesktopApp();
  });
  afterEach(() => endDesktopApp(desktop));

  it("boots, serves, and shows the overview", async () => {
    await heading().waitFor();
    expect(await health()).toBe(200);
    expect(new URL(desktop.window.url()).origin).toBe(desktop.ready.url);
    expect(await inPage("location.hash")).not.toContain("token");
  });

  it("keeps the page in its sandbox", async () => {
    const preferences = await desktop.app.evaluate(({ BrowserWindow }) => {
      // Electron has it for its own tests and does not declare it: what the page really runs with, not what was asked.
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as
        | { getLastWebPreferences?: () => object }
        | undefined;
      return contents?.getLastWebPreferences?.();
    });
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
    });
    const ofNode = "['require', 'process', 'module', 'Buffer'].filter((name) => name in globalThis)";
    expect(await inPage(ofNode)).toEqual([]);
    // Electron lists nothing of workers: one of them is asked. Whatever file of ours it loads, it is a worker.
    const started = desktop.window.waitForEvent("worker");
    await inPage("void (globalThis.kept = new Worker(document.querySelector('script[src]').src, { type: 'module' }))");
    expect(await (await started).evaluate(ofNode)).toEqual([]);
    expect(await inPage("Object.keys(desktop).toSorted()")).toEqual([
      "autostart",
      "checkForUpdates",
      "closeToTray",
      "consentToExport",
      "dragFiles",
      "installUpdate",
      "onDownload",
      "openDataFolder",
      "openPages",
      "platform",
      "restart",
      "setAppearance",
      "setAutostart",
      "setCloseToTray",
      "showDownload",
      "showFile",
      "updates",
    ]);
  });

  it("goes nowhere else, opens no window and asks no other host", async () => {
    await heading().waitFor();
    expect(await inPage("window.open('https://example.com/') === null")).toBe(true);
    await inPage("void (location.href = 'https://example.com/')");
    expect(await inPage("fetch('https://example.com/').then(() => 'loaded', () => 'refused')")).toBe("refused");
    expect(new URL(desktop.window.url()).origin).toBe(desktop.ready.url);
    expect(desktop.app.windows()).toHaveLength(1);
    const geolocation = "navigator.permissions.query({ name: 'geolocation' }).then((status) => status.state)";
    expect(await inPage(geolocation)).toBe("denied");
  });

  it("opens the pages again by itself after a reload", async () => {
    await heading().waitFor();
    await desktop.window.reload();
    await heading().waitFor();
    expect(await heading().isVisible()).toBe(true);
  });

  it.skipIf(isPackaged)("shows state, spend and traffic in the tray", needs("the unpacked bundles"), async () => {
    const { port } = new URL(desktop.ready.url);
    await expect
      .poll(trayLabels)
      .toEqual([
        "Open Postern",
        `Running on ${port}`,
        "Today $0.00",
        "Nothing in flight",
        "Copy base URL",
        "Copy MCP address",
        "Pause",
        "Notifications",
        "Quit Postern",
      ]);
    const response = await chat("Hello. sandbox:slow=3000");
    await expect.poll(trayLabels, { timeout: 3_000 }).toContain("1 request in flight");
    await response.text();
    await expect.poll(trayLabels, { timeout: 5_000 }).toContain("Nothing in flight");
  });

  it("answers its page about updates and about starting with the session", async () => {
    await heading().waitFor();
    const { state } = (await inPage("desktop.updates()")) as { state: string };
    expect(["idle", "unsupported"]).toContain(state);
    expect(await inPage("desktop.autostart()")).toBe(isPackaged ? false : null);
    if (!isPackaged) {
      expect(await inPage("desktop.setAutostart(true).catch((error) => error.message)")).toContain("Only an installed");
    }
  });

  it("follows a link of a second start to a page without reloading it, and no link to anywhere else", async () => {
    await heading().waitFor();
    await inPage("void (globalThis.stays = true)");
    await desktop.startAgain("--", "postern://open?page=tasks");
    await desktop.window.getByRole("heading", { name: "Media", level: 1 }).waitFor();
    expect(await inPage("globalThis.stays")).toBe(true);
    await desktop.startAgain("--", "postern://connect?provider=openai&base_url=https://evil.example&api_key=x");
    expect(await inPage("location.hash")).toBe("#/tasks");
  });

  it("fills in a dialog by a link, and adds nothing", async () => {
    await heading().waitFor();
    const address = "https://llm.example.com/v1";
    await desktop.startAgain("--", `postern://connect?provider=openai-compatible&base_url=${address}&name=From+a+link`);
    const dialog = desktop.window.getByRole("dialog");
    // Not exact: words for screen readers stand before it.
    await dialog.getByText(address).waitFor();
    expect(await dialog.getByLabel("Base URL").inputValue()).toBe(address);
    await desktop.window.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await desktop.window.getByText("From a link").count()).toBe(0);
    expect(await inPage("location.hash")).toBe("#/connections");
  });

  it("hides when its window is closed, and a second start brings it back", async () => {
    await heading().waitFor();
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(isVisible).toBe(false);
    expect(await health()).toBe(200);
    const second = await desktop.startAgain();
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ event: "already-running", url: desktop.ready.url });
    await expect.poll(isVisible).toBe(true);
    const focused = () =>
      desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isFocused()));
    // One window, in front.
    await expect.poll(focused).toEqual([true]);
  });

  it("quits when its window is closed and the owner has switched the tray off", async () => {
    await heading().waitFor();
    expect(await inPage("desktop.closeToTray()")).toBe(true);
    await inPage("desktop.setCloseToTray(false)");
    expect(await inPage("desktop.closeToTray()")).toBe(false);
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    expect(await desktop.ended).toBe(0);
    await expect(health()).rejects.toThrow("fetch failed");
  });

  it("goes on serving a stream when the window's process is killed, and brings the pages back", async () => {
    await heading().waitFor();
    const response = await chat("Count to twenty. sandbox:slow=1500");
    await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
    expect(await health()).toBe(200);
    expect(await response.text()).toContain("data: [DONE]");
    const title = () =>
      desktop.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          "document.querySelector('h1')?.textContent ?? ''",
        ),
      );
    await expect.poll(title, { timeout: 15_000 }).toBe("Overview");
  });

  it("finishes a response that has started before it quits with 0", async () => {
    const response = await chat("Count to twenty. sandbox:slow=1500");
    await desktop.app.evaluate(({ app }) => app.quit());
    expect(await response.text()).toContain("data: [DONE]");
    expect(await desktop.ended).toBe(0);
    expect(existsSync(join(desktop.dataDir, "instance.json"))).toBe(false);
    // The port is free: someone else can have it.
    const server = createServer().listen(Number(new URL(desktop.ready.url).port), "127.0.0.1");
    await once(server, "listening");
    server.close();
  });
});

describe.skipIf(missing !== null)("the desktop app, started by the session", needs(missing), () => {
  it("serves without a window", async () => {
    desktop = await startDesktopApp("--hidden");
    try {
      expect(await health()).toBe(200);
      expect(await isVisible()).toBe(false);
    } finally {
      await endDesktopApp(desktop);
    }
  });
});
