import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DesktopHook } from "../../../main/shell/test-hook.ts";
import { endDesktopApp, isPackaged, missing, startDesktopAppWith, type DesktopApp } from "./desktop-app.ts";
import { needs } from "../../support/needs.ts";

let desktop: DesktopApp | null = null;
let home: string;

const window = () => {
  if (desktop === null) throw new Error("not started");
  return desktop.window;
};
const app = () => {
  if (desktop === null) throw new Error("not started");
  return desktop.app;
};
async function start(env: Record<string, string> = {}): Promise<void> {
  desktop = await startDesktopAppWith({ env: { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), ...env } });
  await window().getByRole("heading", { level: 1 }).waitFor();
  // The driver shows the light theme unless it is ordered to leave it to the system.
  await window().emulateMedia({ colorScheme: null });
}
/** The colour at the left edge of the window as it is painted, half way down, `#rrggbb`. */
const edge = (): Promise<string> =>
  app().evaluate(async ({ BrowserWindow }) => {
    const picture = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage();
    const { width = 0, height = 0 } = picture?.getSize() ?? {};
    const at = Math.floor(height / 2) * width * 4;
    const [blue = 0, green = 0, red = 0] = picture?.toBitmap().subarray(at) ?? [];
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  });
const LIGHT = "#f5f8f8";
const DARK = "#0d1111";
const resize = (width: number, height: number): Promise<void> =>
  app().evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setSize(size.width, size.height), {
    width,
    height,
  });
/** How far the page can be scrolled sideways. */
const sideways = (): Promise<number> =>
  window().evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
const pages = [
  "overview",
  "models",
  "connections",
  "keys",
  "usage",
  "requests",
  "tasks",
  "library",
  "playground",
  "clients",
  "mcp",
  "settings",
];

describe.skipIf(missing !== null)("how the window looks", needs(missing), () => {
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "postern-home-"));
  });
  afterEach(async () => {
    if (desktop !== null) await endDesktopApp(desktop);
    desktop = null;
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });

  it("is light, and dark by the system's setting, from its first moment on", async () => {
    await start();
    await expect.poll(edge).toBe(LIGHT);
    if (desktop !== null) await endDesktopApp(desktop);
    await mkdir(join(home, ".config/gtk-3.0"), { recursive: true });
    await writeFile(join(home, ".config/gtk-3.0/settings.ini"), "[Settings]\ngtk-application-prefer-dark-theme=1\n");
    await start({ GTK_THEME: "Adwaita:dark" });
    expect(await app().evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true);
    await expect.poll(edge).toBe(DARK);
    const background = (): Promise<string | undefined> =>
      app().evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBackgroundColor().toLowerCase());
    expect(await background()).toBe(DARK);
  });

  it("follows the system while it is open", async () => {
    await start();
    await app().evaluate(({ nativeTheme }) => void (nativeTheme.themeSource = "dark"));
    await expect.poll(edge).toBe(DARK);
    await app().evaluate(({ nativeTheme }) => void (nativeTheme.themeSource = "light"));
    await expect.poll(edge).toBe(LIGHT);
  });

  it("is Chinese where the system is: pages, menus and tray", async () => {
    await start({ LANG: "zh_CN.UTF-8", LANGUAGE: "zh_CN", LC_ALL: "zh_CN.UTF-8" });
    await window().getByRole("heading", { name: "概览", level: 1 }).waitFor();
    const labels = await app().evaluate(({ Menu }) =>
      (Menu.getApplicationMenu()?.items ?? []).flatMap((menu) => [
        menu.label,
        ...(menu.submenu?.items ?? []).flatMap(({ label, type, visible }) =>
          type === "separator" || !visible ? [] : label,
        ),
      ]),
    );
    expect(labels).toContain("撤销(&U)");
    expect(labels.filter((label) => !/\p{Script=Han}/u.test(label))).toEqual([]);
    if (isPackaged) return;
    const tray = await app().evaluate(() => {
      const hook = (globalThis as { posternDesktop?: DesktopHook }).posternDesktop;
      const model = hook?.tray() as { items: { label?: string }[] } | undefined;
      return (model?.items ?? []).flatMap(({ label }) => label ?? []);
    });
    expect(tray).toContain("退出 Postern");
  });

  it("fits its smallest size, and twice its size, on every page", async () => {
    await start();
    await resize(100, 100);
    // No window manager asks for less than the window allows.
    const size = await app().evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getContentSize());
    expect(size?.[0]).toBe(360);
    for (const zoom of [1, 2]) {
      await resize(zoom * 360, 800);
      await app().evaluate(({ BrowserWindow }, factor) => {
        BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(factor);
      }, zoom);
      for (const page of pages) {
        await window().evaluate(`void (location.hash = "#/${page}")`);
        await expect.poll(() => window().evaluate("innerWidth")).toBe(360);
        await window().getByRole("heading", { level: 1 }).waitFor();
        expect([page, zoom, await sideways()]).toEqual([page, zoom, 0]);
      }
    }
  });
});
