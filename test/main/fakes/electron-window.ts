import { EventEmitter } from "node:events";
import { FakeEvent, app } from "./electron-app.ts";

/** Every window that was made, in order. */
export const windows: BrowserWindow[] = [];

export class FakeContents extends EventEmitter {
  windowOpenHandler: ((details: { url: string }) => { action: string }) | null = null;
  reloads = 0;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler;
  }
  reload(): void {
    this.reloads += 1;
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
    return Promise.resolve();
  }
  show(): void {
    this.calls.push("show");
    this.visible = true;
  }
  hide(): void {
    this.calls.push("hide");
    this.visible = false;
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
