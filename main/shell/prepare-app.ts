import { app, crashReporter, nativeTheme } from "electron";
import type { Appearance } from "../policy/appearance.ts";

/** Equals package.json's start script: V8's default lets short-lived garbage take 100 MB more (docs/benchmarks.md). */
const YOUNG_GENERATION = "--max-semi-space-size=16";

const PASSWORD_STORE = "password-store";

/**
 * Applies the settings that Electron needs before it is ready. The profile is within the data folder, so that each data
 * folder has its own lock, window and profile.
 * @param profile an existing folder; null keeps Electron's own, for a failing start.
 * @param passwordStore keychain for Chromium; null leaves the choice to it, as does a command-line switch.
 * @param language language chosen on the pages, also for dialogs and Chromium's own texts; null: the system's.
 */
export function prepareApp(profile: string | null, passwordStore: string | null, language: string | null = null): void {
  app.setName("Postern");
  app.setAppUserModelId("app.postern.desktop");
  keepProfile(profile);
  app.enableSandbox();
  // A dump holds parts of the memory, keys among them, so it stays in the profile.
  if (profile !== null) crashReporter.start({ uploadToServer: false });
  app.commandLine.appendSwitch("js-flags", YOUNG_GENERATION);
  if (language !== null) app.commandLine.appendSwitch("lang", language);
  if (passwordStore !== null && !app.commandLine.hasSwitch(PASSWORD_STORE))
    app.commandLine.appendSwitch(PASSWORD_STORE, passwordStore);
}

/** Puts Chromium's profile into a folder. @param profile null leaves Electron's own */
export function keepProfile(profile: string | null): void {
  if (profile !== null) app.setPath("userData", profile);
}

/**
 * Lets a start without a window run without a display: Chromium exits there unless a platform is set. `headless` draws
 * nothing (Chromium, Ozone overview, read on 2026-11-29).
 */
export function doWithoutDisplay(env: NodeJS.ProcessEnv): void {
  if (process.platform !== "linux" || env["DISPLAY"] || env["WAYLAND_DISPLAY"]) return;
  app.commandLine.appendSwitch("ozone-platform", "headless");
  app.commandLine.appendSwitch("disable-gpu");
}

/** Whether this is an installed app rather than a working copy. */
export function isPackaged(): boolean {
  return app.isPackaged;
}

/** Gives menus, boxes and the window's first colour the theme of the pages. */
export function setTheme(theme: Appearance["theme"]): void {
  nativeTheme.themeSource = theme;
}

/** Such as `zh-CN`: of the pages' last choice, or of the system. After `ready` only. */
export function getLocaleOfSystem(): string {
  return app.getLocale();
}

/**
 * Runs the rest of the start when Electron is ready. Do not await it: Electron is ready only after the entry module has
 * been evaluated.
 */
export function whenReady(start: () => Promise<void>): void {
  void app.whenReady().then(start);
}

/** Keeps the process when the last window is gone: the gateway serves clients, not the window. */
export function stayWithoutWindows(show: () => void): void {
  app.on("window-all-closed", () => undefined);
  app.on("activate", show);
}
