import { BrowserWindow, nativeTheme, screen } from "electron";
import type { Log } from "../../gateway/lib/log.ts";
import type { DesktopMemory } from "../desktop-memory.ts";
import { closeDecision } from "../policy/close-window.ts";
import { routeFragment, type PageRoute } from "../policy/page-route.ts";
import { restoreBounds } from "../policy/window-bounds.ts";
import { windowOptions } from "../policy/window-options.ts";
import type { Words } from "../policy/words.ts";
import { respondToCrashes } from "./window-crash.ts";

export interface MainWindowOptions {
  /** Absolute path of the bundled preload. */
  readonly preload: string;
  readonly packaged: boolean;
  /** A fresh address of the pages at each call: its token works once. */
  readonly address: () => string;
  /** The gateway's own address, for what the owner is told. */
  readonly url: string;
  readonly words: Words;
  readonly memory: DesktopMemory;
  readonly log: Pick<Log, "warn">;
  readonly isQuitting: () => boolean;
  /** Windows ends the session without asking the application to quit: it asks the window only. */
  readonly onSessionEnd: () => void;
  /** Asks the application to quit, where the owner wants closing the window to mean that. */
  readonly quit: () => void;
  /** Says once that Postern goes on in the tray. */
  readonly tellAboutTray: () => void;
}

export interface MainWindow {
  readonly window: () => BrowserWindow | null;
  /** Brings the window to the front; makes it where there is none. */
  show(): void;
  /** The same, on a page of its choice. */
  open(route: PageRoute): void;
  hide(): void;
  reload(): void;
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
    windowOptions({
      preload: options.preload,
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
    const { toldAboutTray: wasTold, closeToTray } = memory.value;
    const facts = { isQuitting: options.isQuitting(), platform: process.platform, wasTold, closeToTray };
    const decision = closeDecision(facts);
    if (decision.act !== "close") event.preventDefault();
    if (decision.act === "hide") window.hide();
    if (decision.act === "quit") options.quit();
    if (decision.tell) {
      memory.update({ toldAboutTray: true });
      options.tellAboutTray();
    }
  });
  window.on("session-end", options.onSessionEnd);
  return window;
}

/** Keeps the one window of the application. */
export function createMainWindow(options: MainWindowOptions): MainWindow {
  let current: BrowserWindow | null = null;
  const load = (window: BrowserWindow, address = options.address()): void => {
    // A load that fails or is overtaken by another one is reported by the window's own error page.
    window.loadURL(address).catch(() => undefined);
  };
  const make = (address?: string): BrowserWindow => {
    const window = createWindow(options);
    window.once("ready-to-show", () => window.show());
    window.once("closed", () => (current = null));
    respondToCrashes(window, options, () => load(window));
    load(window, address);
    return window;
  };
  const bringToFront = (window: BrowserWindow): void => {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  return {
    window: () => current,
    show() {
      if (current === null) current = make();
      else bringToFront(current);
    },
    open(route) {
      // Without a token: its place in the address is taken, and the page fetches one over its bridge.
      const address = `${options.url}/${routeFragment(route)}`;
      if (current === null) {
        current = make(address);
        return;
      }
      load(current, address);
      bringToFront(current);
    },
    hide() {
      if (current === null) return;
      remember(current, options.memory);
      current.hide();
    },
    reload: () => current?.webContents.reload(),
    close: () => current?.close(),
  };
}
