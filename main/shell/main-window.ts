import { BrowserWindow, nativeTheme, screen, type NavigationEntry } from "electron";
import type { Log } from "../../gateway/lib/log.ts";
import type { DesktopMemory } from "../desktop-memory.ts";
import { closeDecision } from "../policy/close-window.ts";
import { isSameOrigin } from "../policy/origin.ts";
import type { PageCommand } from "../policy/page-command.ts";
import { routeFragment, type PageRoute } from "../policy/page-route.ts";
import { restoreBounds } from "../policy/window-bounds.ts";
import { createWindowOptions } from "../policy/window-options.ts";
import type { Words } from "../policy/words.ts";
import { ICON } from "./box.ts";
import { offerContextMenu } from "./context-menu.ts";
import { getHistory, listenToMouse, offerCommand, runCommand, type HistoryState } from "./page-commands.ts";
import { respondToCrashes } from "./window-crash.ts";
import { restWhenHidden } from "./window-rest.ts";

export interface MainWindowOptions {
  /** Absolute path of the bundled preload. */
  readonly preload: string;
  readonly packaged: boolean;
  /** The gateway's address, whose pages it shows. */
  readonly url: string;
  readonly words: Words;
  readonly memory: DesktopMemory;
  readonly log: Pick<Log, "warn">;
  readonly isQuitting: () => boolean;
  /** Quits the application, if closing the window is set to do so. */
  readonly quit: () => void;
  /** Notifies once that Postern stays in the tray. */
  readonly tellAboutTray: () => void;
  /** Called with the history's state whenever it may have changed. */
  readonly onHistory: (history: HistoryState) => void;
  /** How long the window stays hidden before it is let go of, ms. */
  readonly restAfterMs: number;
}

export interface MainWindow {
  readonly window: () => BrowserWindow | null;
  /** Brings the window to the front; creates it if it is missing. */
  show(): void;
  /** The same, on a page of its choice. */
  open(route: PageRoute): void;
  /** Releases the window for good: a quit has started. */
  end(): void;
  /** Runs a command unless the page handles it. No-op without a window. */
  obey(command: PageCommand): void;
  history(): HistoryState;
  close(): void;
}

function remember(window: BrowserWindow, memory: DesktopMemory): void {
  const bounds = window.getNormalBounds();
  memory.update({ window: { ...bounds, maximized: window.isMaximized() } });
}

function createWindow(options: MainWindowOptions): BrowserWindow {
  const { memory } = options;
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  const window = new BrowserWindow(
    createWindowOptions({
      preload: options.preload,
      icon: ICON,
      bounds: restoreBounds(
        memory.value.window,
        [primary, ...others].map((display) => display.workArea),
      ),
      packaged: options.packaged,
      dark: nativeTheme.shouldUseDarkColors,
    }),
  );
  if (memory.value.window?.maximized === true) window.maximize();
  window.on("close", (event) => {
    remember(window, memory);
    const { toldAboutTray: isNoticeShown, closeToTray } = memory.value;
    const facts = { isQuitting: options.isQuitting(), platform: process.platform, isNoticeShown, closeToTray };
    const decision = closeDecision(facts);
    if (decision.act !== "close") event.preventDefault();
    if (decision.act === "hide") window.hide();
    if (decision.act === "quit") options.quit();
    if (decision.tell) {
      memory.update({ toldAboutTray: true });
      options.tellAboutTray();
    }
  });
  return window;
}

/** Runs a command that leaves the page, unless the page handles it, e.g. because a form is partly filled. */
function askPage(window: BrowserWindow, command: PageCommand | `#/${string}`, leave: () => void): void {
  const ask = async (): Promise<void> => {
    if ((await offerCommand(window.webContents, command)) && !window.isDestroyed()) leave();
  };
  ask().catch(() => undefined);
}

/** Keeps the one window of the application. */
export function createMainWindow(options: MainWindowOptions): MainWindow {
  let current: BrowserWindow | null = null;
  // Without a token: each page fetches one over its bridge. Electron prints the address of a load that fails.
  const first = `${options.url}/`;
  /** Page of the released window. */
  let left: NavigationEntry | null = null;
  const load = (window: BrowserWindow, address = first): void => {
    // A load that fails or is overtaken by another one is reported by the window's own error page.
    window.loadURL(address).catch(() => undefined);
  };
  /** Restores a window's last page, then opens the requested one. */
  const takeUp = async (window: BrowserWindow, before: NavigationEntry, address?: string): Promise<void> => {
    const { navigationHistory: history } = window.webContents;
    const failed = await history.restore({ entries: [before] }).then(
      () => false,
      () => true,
    );
    if (!window.isDestroyed() && (failed || address !== undefined)) load(window, address);
  };
  const history = (): HistoryState => getHistory(current?.webContents);
  const tellHistory = (): void => options.onHistory(history());
  const obey = (command: PageCommand): void => {
    const window = current;
    if (window !== null) askPage(window, command, () => runCommand(window.webContents, command));
  };
  const make = (address?: string): void => {
    if (options.isQuitting()) return;
    const window = createWindow(options);
    current = window;
    window.once("ready-to-show", () => window.show());
    window.once("closed", () => {
      current = null;
      tellHistory();
    });
    for (const moved of ["did-navigate", "did-navigate-in-page"] as const)
      window.webContents.on(moved as "did-navigate", tellHistory);
    listenToMouse(window, obey);
    offerContextMenu(window.webContents, options.words);
    restWhenHidden(window, options.restAfterMs, (last) => (left = last));
    const before = left;
    left = null;
    if (before === null) return load(window, address);
    takeUp(window, before, address).catch(() => undefined);
  };
  const bringToFront = (window: BrowserWindow): void => {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  const show = (): void => {
    if (current === null) make();
    else bringToFront(current);
  };
  respondToCrashes(options, {
    current: () => current,
    loadSame(window) {
      const { webContents } = window;
      if (isSameOrigin(webContents.getURL(), options.url)) webContents.reload();
      else load(window);
    },
    loadFirst: load,
    show,
  });
  return {
    window: () => current,
    show,
    open(route) {
      const window = current;
      const fragment = routeFragment(route);
      if (window === null) return make(`${first}${fragment}`);
      askPage(window, fragment, () => load(window, `${first}${fragment}`));
      bringToFront(window);
    },
    end() {
      if (current === null) return;
      remember(current, options.memory);
      // A merely hidden window would be reloaded when Chromium's processes end with the group.
      current.destroy();
    },
    obey,
    history,
    close: () => current?.close(),
  };
}
