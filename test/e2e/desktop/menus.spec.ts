import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  endDesktopApp,
  isPackaged,
  missing,
  startDesktopApp,
  startDesktopAppWith,
  type DesktopApp,
} from "./desktop-app.ts";
import { pressKey, zoomFactor, type Modifier } from "./keys.ts";
import { needs } from "../../support/needs.ts";

let desktop: DesktopApp;
const heading = (name: string) => desktop.window.getByRole("heading", { name, level: 1 });
/** Full screen and minimising are done by a window manager. */
const unmanaged = process.env["WM"] === "";
/** A native menu that is open takes the keys of the display, and no others. */
const xdotool = (...given: string[]): number | null => spawnSync("xdotool", given, { stdio: "ignore" }).status;
const noDisplayKeys = xdotool("version") !== 0;
if (missing === null && noDisplayKeys) console.log("\nskipped: the menu of a text field (there is no xdotool)\n");

/** The menus as they are, each entry by its label; what does not show is left out. */
const menus = (): Promise<Record<string, string[]>> =>
  desktop.app.evaluate(({ Menu }) =>
    Object.fromEntries(
      (Menu.getApplicationMenu()?.items ?? []).map((menu) => [
        menu.label.replace("&", ""),
        (menu.submenu?.items ?? [])
          .filter(({ visible, type }) => visible && type !== "separator")
          .map(({ label }) => label.replace("&", "")),
      ]),
    ),
  );
/** Clicks an entry as the menu does. */
const click = (label: string): Promise<void> =>
  desktop.app.evaluate(({ BrowserWindow, Menu }, expected) => {
    const [window] = BrowserWindow.getAllWindows();
    const entries = (Menu.getApplicationMenu()?.items ?? []).flatMap((menu) => menu.submenu?.items ?? []);
    const entry = entries.find((one) => one.label.replace("&", "") === expected);
    if (entry === undefined) throw new Error(`no entry ${expected}`);
    (entry.click as (event: unknown, window: unknown, contents: unknown) => void)({}, window, window?.webContents);
  }, label);
const copied = (): Promise<string> => desktop.app.evaluate(({ clipboard }) => clipboard.readText());
const windowIs = (name: "isVisible" | "isFullScreen" | "isMinimized"): Promise<boolean> =>
  desktop.app.evaluate(({ BrowserWindow }, request) => BrowserWindow.getAllWindows()[0]?.[request]() ?? false, name);
const hasTools = (): Promise<boolean> =>
  desktop.app.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.isDevToolsOpened() ?? false,
  );
const hash = (): Promise<unknown> => desktop.window.evaluate("location.hash");

describe.skipIf(missing !== null)("the application menu", needs(missing), () => {
  beforeEach(async () => {
    desktop = await startDesktopApp();
    await heading("Overview").waitFor();
  });
  afterEach(() => endDesktopApp(desktop));

  it("has these entries", async () => {
    const view = ["Back", "Forward", "Reload", "Actual size", "Zoom in", "Zoom out", "Full screen"];
    expect(await menus()).toEqual({
      Help: ["Guide", "Show log", "Download diagnostics…", "Report a problem", "About Postern"],
      File: ["Open window", "Copy base URL", "Settings…", "Close window", "Check for updates", "Quit Postern"],
      Edit: ["Undo", "Redo", "Cut", "Copy", "Paste", "Select all", "Find…", "Find next", "Find previous"],
      View: isPackaged ? view : [...view, "Developer tools"],
      Window: ["Minimize"],
    });
  });

  it("copies the base URL, by its entry and by its keys", async () => {
    await click("Copy base URL");
    await expect.poll(copied).toBe(`${desktop.ready.url}/v1`);
    await desktop.app.evaluate(({ clipboard }) => clipboard.writeText("something else"));
    await pressKey(desktop, "C", ["control", "shift"]);
    await expect.poll(copied).toBe(`${desktop.ready.url}/v1`);
  });

  it("closes the window and opens it again", async () => {
    await pressKey(desktop, "W", ["control"]);
    await expect.poll(() => windowIs("isVisible")).toBe(false);
    await click("Open window");
    await expect.poll(() => windowIs("isVisible")).toBe(true);
    await click("Close window");
    await expect.poll(() => windowIs("isVisible")).toBe(false);
    // With its window hidden an app has no keys: the entry of the menu is macOS's.
    await click("Open window");
    await pressKey(desktop, "N", ["control"]);
    await expect.poll(() => windowIs("isVisible")).toBe(true);
  });

  it("reloads the page that is shown", async () => {
    await desktop.window.evaluate("void (location.hash = '#/keys')");
    for (const again of [() => pressKey(desktop, "R", ["control"]), () => click("Reload")]) {
      await heading("Keys").waitFor();
      await desktop.window.evaluate("void (globalThis.before = true)");
      await again();
      await expect.poll(() => desktop.window.evaluate("globalThis.before === undefined").catch(() => null)).toBe(true);
      await heading("Keys").waitFor();
      expect(await hash()).toBe("#/keys");
    }
  });

  it.each([
    ["=", ["control"]],
    ["Plus", ["control"]],
    ["Plus", ["control", "shift"]],
    ["numadd", ["control"]],
  ] as [string, Modifier[]][])("zooms in by %s with %j, and back and out", async (key, modifiers) => {
    await pressKey(desktop, key, modifiers);
    await expect.poll(() => zoomFactor(desktop)).toBeGreaterThan(1);
    await pressKey(desktop, "0", ["control"]);
    await expect.poll(() => zoomFactor(desktop)).toBe(1);
    await pressKey(desktop, "-", ["control"]);
    await expect.poll(() => zoomFactor(desktop)).toBeLessThan(1);
    await pressKey(desktop, "num0", ["control"]);
    await expect.poll(() => zoomFactor(desktop)).toBe(1);
    await pressKey(desktop, "numsub", ["control"]);
    await expect.poll(() => zoomFactor(desktop)).toBeLessThan(1);
  });

  it("remembers the zoom: over a reload, on another page, and at the next start", async () => {
    await click("Zoom in");
    await click("Zoom in");
    await expect.poll(() => zoomFactor(desktop)).toBeCloseTo(1.2, 5);
    await pressKey(desktop, "R", ["control"]);
    await heading("Overview").waitFor();
    expect(await zoomFactor(desktop)).toBeCloseTo(1.2, 5);
    const { dataDir } = desktop;
    await pressKey(desktop, "Q", ["control"]);
    expect(await desktop.ended).toBe(0);
    desktop = await startDesktopAppWith({ dataDir });
    await heading("Overview").waitFor();
    // Another port, and the same person.
    await expect.poll(() => zoomFactor(desktop)).toBeCloseTo(1.2, 5);
    await click("Actual size");
    await expect.poll(() => zoomFactor(desktop)).toBe(1);
  });

  it.skipIf(unmanaged)("fills the screen, and is minimised", needs("a window manager"), async () => {
    await pressKey(desktop, "F11");
    await expect.poll(() => windowIs("isFullScreen")).toBe(true);
    await click("Full screen");
    await expect.poll(() => windowIs("isFullScreen")).toBe(false);
    await click("Minimize");
    await expect.poll(() => windowIs("isMinimized")).toBe(true);
    await click("Open window");
    await expect.poll(() => windowIs("isMinimized")).toBe(false);
  });

  it("has developer tools in a working copy only", async () => {
    await pressKey(desktop, "I", ["control", "shift"]);
    if (isPackaged) expect(await hasTools()).toBe(false);
    else await expect.poll(hasTools).toBe(true);
  });

  it("leads to the updates", async () => {
    await click("Check for updates");
    await expect.poll(hash).toBe("#/settings?section=updates");
  });

  it("opens settings, version with licences, and the guide", async () => {
    await pressKey(desktop, ",", ["control"]);
    await expect.poll(hash).toBe("#/settings");
    await click("About Postern");
    await expect.poll(hash).toBe("#/settings?section=about");
    await desktop.window.getByRole("button", { name: "Licences" }).waitFor();
    await desktop.app.evaluate(({ shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openExternal = (address) => Promise.resolve(void opened.push(address));
      shell.showItemInFolder = (path) => void opened.push(path);
    });
    for (const entry of ["Guide", "Report a problem", "Show log"]) await click(entry);
    const opened = await desktop.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
    expect(opened).toEqual([
      `${desktop.ready.url}/guide/index.html`,
      `${desktop.ready.url}/guide/troubleshooting.html#ask-for-help`,
      join(desktop.dataDir, "desktop/logs/postern.log"),
    ]);
    const page = await (await fetch(opened[1] ?? "")).text();
    expect(page).toContain('id="ask-for-help"');
    expect(await readFile(opened[2] ?? "", "utf8")).toContain('"time"');
  });

  it("finishes a response before it quits by its keys", async () => {
    const response = await fetch(`${desktop.ready.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${desktop.ready.apiKey ?? ""}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "gpt-4o-mini",
        stream: true,
        messages: [{ role: "user", content: "Count. sandbox:slow=1500" }],
      }),
    });
    await pressKey(desktop, "Q", ["control"]);
    expect(await response.text()).toContain("data: [DONE]");
    expect(await desktop.ended).toBe(0);
  });

  it("edits text by the keys that everybody knows", async () => {
    await desktop.window.evaluate("void (location.hash = '#/models')");
    await heading("Providers").waitFor();
    const field = desktop.window.getByRole("searchbox").first();
    await field.click();
    await field.pressSequentially("claude");
    await pressKey(desktop, "A", ["control"]);
    await pressKey(desktop, "X", ["control"]);
    await expect.poll(() => field.inputValue()).toBe("");
    expect(await copied()).toBe("claude");
    await pressKey(desktop, "V", ["control"]);
    await pressKey(desktop, "V", ["control"]);
    await expect.poll(() => field.inputValue()).toBe("claudeclaude");
    await pressKey(desktop, "Z", ["control"]);
    await expect.poll(() => field.inputValue()).toBe("claude");
  });

  it.skipIf(noDisplayKeys)("offers a menu in a text field: pasting by it", needs("xdotool"), async () => {
    await desktop.window.evaluate("void (location.hash = '#/models')");
    await heading("Providers").waitFor();
    await desktop.app.evaluate(({ clipboard }) => clipboard.writeText("gemini"));
    const field = desktop.window.getByRole("searchbox").first();
    await field.click({ button: "right" });
    // By its first letter, as in every menu.
    await expect
      .poll(
        () => {
          xdotool("key", "p");
          return field.inputValue();
        },
        { interval: 200 },
      )
      .toMatch(/^gemini/);
  });
});
