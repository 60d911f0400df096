import { app, type BrowserWindow } from "electron";
import type { Log } from "../../gateway/lib/log.ts";
import { createCrashResponse, createCrashQuestion, graphicsResponse } from "../policy/window-crash.ts";
import type { Words } from "../policy/words.ts";
import { showBox } from "./box.ts";

export interface CrashOptions {
  /** The gateway's address. */
  readonly url: string;
  readonly words: Words;
  readonly log: Pick<Log, "warn">;
}

export interface CrashedWindow {
  /** Returns the window, if there is one. */
  readonly current: () => BrowserWindow | null;
  /** Loads the page that it was on. */
  loadSame(window: BrowserWindow): void;
  /** Loads the first page: the one that it was on may be what crashes. */
  loadFirst(window: BrowserWindow): void;
  /** Brings it to the front. */
  show(): void;
}

/** Lifts Chromium's limit of graphics process crashes, beyond which it ends the whole app. */
export function liftGraphicsLimit(): void {
  app.commandLine.appendSwitch("disable-gpu-process-crash-limit");
}

const NETWORK_SERVICE = "network.mojom.NetworkService";

/** Number of starts of the same load. */
const MOST_LOADS = 10;

/**
 * Loads until a page or an error is shown. While Chromium has not noticed the loss of the network process, it aborts
 * loads without a reason.
 */
function loadUntilStarted(window: BrowserWindow, load: () => void, left = MOST_LOADS): void {
  const { webContents } = window;
  let isStarted = false;
  const begin = (): void => void (isStarted = true);
  webContents.once("did-navigate", begin);
  webContents.once("did-fail-load", begin);
  webContents.once("did-stop-loading", () => {
    webContents.off("did-navigate", begin);
    webContents.off("did-fail-load", begin);
    if (isStarted || left === 1) return;
    setImmediate(() => {
      if (!window.isDestroyed()) loadUntilStarted(window, load, left - 1);
    });
  });
  load();
}

/**
 * Brings the window back when one of its processes is gone. The gateway lives in the main process and notices nothing.
 * To be called once.
 */
export function respondToCrashes(options: CrashOptions, crashed: CrashedWindow): void {
  const { url, words, log } = options;
  let isAsking = false;
  /** Asks whether to reload the window, one dialog at a time. A recovered window needs no response. */
  const ask = async (window: BrowserWindow, reason: string, reload: () => void): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const { webContents } = window;
    const box = new AbortController();
    const { signal } = box;
    const close = (): void => box.abort();
    webContents.once("did-finish-load", close);
    window.once("show", close);
    const response = await showBox(window, { ...createCrashQuestion(reason, url, words), signal }).finally(() => {
      isAsking = false;
      webContents.off("did-finish-load", close);
      window.off("show", close);
    });
    if (window.isDestroyed() || signal.aborted) return;
    if (response === 0) reload();
    else window.hide();
  };

  const crashes: number[] = [];
  const loadAgain = (window: BrowserWindow, reason: string): void => {
    const now = performance.now();
    const response = createCrashResponse(reason, crashes, now);
    if (response === "ignore") return;
    crashes.push(now);
    // Chromium is still handling the crashed process: a load within its event ends the main process on Electron 42. A
    // microtask is too early as well.
    setImmediate(() => {
      if (window.isDestroyed()) return;
      if (response === "reload") loadUntilStarted(window, () => crashed.loadSame(window));
      else ask(window, reason, () => crashed.loadFirst(window)).catch(() => undefined);
    });
  };
  app.on("render-process-gone", (_event, contents, { reason, exitCode }) => {
    const window = crashed.current();
    if (window === null || contents !== window.webContents) return;
    log.warn("window.gone", { reason, exit_code: exitCode });
    loadAgain(window, reason);
  });

  let redraws: number[] = [];
  const drawAgain = (reason: string): void => {
    const now = performance.now();
    const response = graphicsResponse(app.getGPUFeatureStatus().gpu_compositing, redraws, now);
    if (response === "fall-back") return;
    liftGraphicsLimit();
    redraws.push(now);
    const window = crashed.current();
    if (response !== "ask" || window === null || !window.isVisible()) return;
    redraws = [];
    // A hidden window is not drawn.
    window.hide();
    ask(window, reason, crashed.show).catch(() => undefined);
  };
  app.on("child-process-gone", (_event, { type, serviceName, reason, exitCode }) => {
    if (reason === "clean-exit") return;
    if (type === "GPU") {
      log.warn("graphics.gone", { reason, exit_code: exitCode });
      drawAgain(reason);
    } else if (serviceName === NETWORK_SERVICE) {
      log.warn("network.gone", { reason, exit_code: exitCode });
      // The process restarts automatically. But with request guards on the session, requests in progress never end for
      // the page, which would wait forever.
      const window = crashed.current();
      if (window !== null) loadAgain(window, reason);
    }
  });
}
