import { EventEmitter } from "node:events";
import { FakeEvent, app } from "./electron-app.ts";

/** Every window that was made, in order. */
export const windows: BrowserWindow[] = [];
export const baseWindows: BaseWindow[] = [];

export class FakeContents extends EventEmitter {
  windowOpenHandler: ((details: { url: string }) => { action: string }) | null = null;
  readonly mainFrame = { frameTreeNodeId: 1 };
  reloads = 0;
  address = "";
  getURL(): string {
    return this.address;
  }
  readonly sent: unknown[][] = [];
  send(...given: unknown[]): void {
    this.sent.push(given);
  }
  crashed = false;
  /** What the page says when it is asked whether it can be let go of. */
  canRest: () => Promise<unknown> = () => Promise.resolve(true);
  readonly requests: string[] = [];
  readonly restored: unknown[] = [];
  /** What the page says to a command: false where it takes it over. */
  leaves: () => Promise<unknown> = () => Promise.resolve(true);
  readonly offered: unknown[] = [];
  isLoading = false;
  isLoadingMainFrame(): boolean {
    return this.isLoading;
  }
  zoom = 0;
  getZoomLevel(): number {
    return this.zoom;
  }
  setZoomLevel(level: number): void {
    this.zoom = level;
  }
  pinch: readonly number[] = [];
  setVisualZoomLevelLimits(...limits: readonly number[]): Promise<void> {
    this.pinch = limits;
    return Promise.resolve();
  }
  /** Pages before and after the one that is shown, and the steps that were taken. */
  readonly ways = { back: false, forward: false };
  readonly steps: string[] = [];
  readonly navigationHistory = {
    canGoBack: () => this.ways.back,
    canGoForward: () => this.ways.forward,
    goBack: () => void this.steps.push("back"),
    goForward: () => void this.steps.push("forward"),
    getActiveIndex: () => 1,
    getEntryAtIndex: (index: number) => ({ url: `step ${index}`, title: "", pageState: "state" }),
    restore: (options: unknown): Promise<void> => this.restore(options),
  };
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler;
  }
  reload(): void {
    this.reloads += 1;
  }
  restore(options: unknown): Promise<void> {
    this.restored.push(options);
    return Promise.resolve();
  }
  isCrashed(): boolean {
    return this.crashed;
  }
  executeJavaScript(code: string): Promise<unknown> {
    const [, command] = /"command", .*detail: (.*) \}\)\)$/.exec(code) ?? [];
    if (command !== undefined) {
      this.offered.push(JSON.parse(command));
      return this.leaves();
    }
    this.requests.push(code);
    return this.canRest();
  }
}

/** A window without pages. */
export class BaseWindow extends EventEmitter {
  readonly options: Record<string, unknown>;
  constructor(options: Record<string, unknown>) {
    super();
    this.options = options;
    baseWindows.push(this);
  }
}

export class BrowserWindow extends EventEmitter {
  readonly webContents = new FakeContents();
  readonly options: Record<string, unknown>;
  readonly loaded: string[] = [];
  readonly calls: string[] = [];
  visible = false;
  minimized = false;
  maximized = false;
  destroyed = false;
  bounds = { x: 10, y: 20, width: 1000, height: 700 };

  constructor(options: Record<string, unknown>) {
    super();
    this.options = options;
    windows.push(this);
    app.emit("web-contents-created", new FakeEvent(), this.webContents);
  }
  loadURL(address: string): Promise<void> {
    this.loaded.push(address);
    this.webContents.address = address;
    return Promise.resolve();
  }
  show(): void {
    this.calls.push("show");
    this.visible = true;
    this.emit("show");
  }
  hide(): void {
    this.calls.push("hide");
    this.visible = false;
    this.emit("hide");
  }
  focus(): void {
    this.calls.push("focus");
  }
  restore(): void {
    this.calls.push("restore");
    this.minimized = false;
  }
  maximize(): void {
    this.calls.push("maximize");
    this.maximized = true;
  }
  /** As Electron does it: `close` may be prevented, `closed` comes after. */
  close(): FakeEvent {
    const event = new FakeEvent();
    this.emit("close", event);
    if (!event.defaultPrevented) {
      this.destroyed = true;
      this.emit("closed");
    }
    return event;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit("closed");
  }
  isVisible(): boolean {
    return this.visible;
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  getNormalBounds() {
    return this.bounds;
  }
}
