import type { BrowserWindow, WebContents } from "electron";
import { within } from "../../gateway/lib/within.ts";
import { createCommandScript, HISTORY_BUTTONS, zoomStep, type PageCommand } from "../policy/page-command.ts";

/** A page that does not respond within this time, in milliseconds, has hung: the command is carried out without it. */
const RESPONDS_WITHIN_MS = 1_000;

/** Whether the history has a page before and after the one that is shown. */
export interface HistoryState {
  readonly back: boolean;
  readonly forward: boolean;
}

export const getHistory = (contents: WebContents | undefined): HistoryState => ({
  back: contents?.navigationHistory.canGoBack() ?? false,
  forward: contents?.navigationHistory.canGoForward() ?? false,
});

/** Offers a command to the page. @returns whether the page leaves it to the shell. */
export async function offerCommand(contents: WebContents, command: PageCommand | `#/${string}`): Promise<boolean> {
  if (contents.isCrashed() || contents.isLoadingMainFrame()) return true;
  const isLeft = contents.executeJavaScript(createCommandScript(command)).catch(() => true) as Promise<boolean>;
  return !(await within(isLeft, RESPONDS_WITHIN_MS)) || (await isLeft);
}

/** Runs a command that no page handles. */
export function runCommand(contents: WebContents, command: PageCommand): void {
  if (command === "reload") contents.reload();
  if (command === "back") contents.navigationHistory.goBack();
  if (command === "forward") contents.navigationHistory.goForward();
}

/** Magnification of a page by two fingers: 1 for no magnification. */
const PINCH_LIMITS = [1, 3] as const;

/** Makes the window hear the wheel with Ctrl, two fingers on a touchpad, and the buttons of mice that go back and forward. */
export function listenToMouse(window: BrowserWindow, act: (command: PageCommand) => void): void {
  const { webContents } = window;
  // Chromium stores the zoom in the profile, by host.
  webContents.on("zoom-changed", (_event, direction) =>
    webContents.setZoomLevel(zoomStep(webContents.getZoomLevel(), direction)),
  );
  // Each loaded page starts without it.
  webContents.on("dom-ready", () => void webContents.setVisualZoomLevelLimits(...PINCH_LIMITS).catch(() => undefined));
  window.on("app-command", (_event, name) => {
    const command = HISTORY_BUTTONS[name];
    if (command !== undefined) act(command);
  });
}
