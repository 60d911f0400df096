import { EventEmitter } from "node:events";

/** An event as Electron hands it to listeners, with its only method. */
export class FakeEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

class FakeApp extends EventEmitter {
  readonly calls: string[] = [];
  readonly paths = new Map<string, string>();
  readonly switches: string[] = [];
  name = "Electron";
  isPackaged = false;
  locale = "en-US";
  readonly protocols: unknown[][] = [];
  loginItem: { openAtLogin: boolean; args: string[] } = { openAtLogin: false, args: [] };
  wasOpenedAtLogin = false;
  takesLoginItem = true;
  hasLock = true;
  exitCode: number | null = null;
  compositing = "disabled_software";
  ready = Promise.withResolvers<void>();
  readonly dock = { hide: () => this.calls.push("dock.hide"), show: () => Promise.resolve() };
  readonly commandLine = {
    hasSwitch: (name: string) => this.switches.some((each) => each.split("=")[0] === name),
    appendSwitch: (name: string, value?: string) => this.switches.push(value === undefined ? name : `${name}=${value}`),
  };

  setName(name: string): void {
    this.calls.push("setName");
    this.name = name;
  }
  setAppUserModelId(): void {
    this.calls.push("setAppUserModelId");
  }
  getGPUFeatureStatus(): { gpu_compositing: string } {
    return { gpu_compositing: this.compositing };
  }
  getLocale(): string {
    return this.locale;
  }
  setAsDefaultProtocolClient(...given: unknown[]): boolean {
    this.protocols.push(given);
    return true;
  }
  getLoginItemSettings(given?: { args: string[] }): { openAtLogin: boolean; wasOpenedAtLogin: boolean } {
    const isSame = given === undefined || JSON.stringify(given.args) === JSON.stringify(this.loginItem.args);
    return { openAtLogin: this.loginItem.openAtLogin && isSame, wasOpenedAtLogin: this.wasOpenedAtLogin };
  }
  setLoginItemSettings(given: { openAtLogin: boolean; args: string[] }): void {
    if (this.takesLoginItem) this.loginItem = given;
  }
  setAboutPanelOptions(): void {
    this.calls.push("setAboutPanelOptions");
  }
  /** @throws as Electron does where the system names none. */
  getPath(name: string): string {
    const path = this.paths.get(name);
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }
  setPath(name: string, path: string): void {
    this.calls.push(`setPath ${name}`);
    this.paths.set(name, path);
  }
  enableSandbox(): void {
    this.calls.push("enableSandbox");
  }
  requestSingleInstanceLock(): boolean {
    this.calls.push("requestSingleInstanceLock");
    return this.hasLock;
  }
  whenReady(): Promise<void> {
    return this.ready.promise;
  }
  /** As Electron does it: without a listener the application quits with its last window. */
  lastWindowClosed(): void {
    if (!this.emit("window-all-closed")) this.quit();
  }
  /** As Electron does it: `before-quit` may hold the quit back. */
  quit(): void {
    this.calls.push("quit");
    const event = new FakeEvent();
    this.emit("before-quit", event);
    if (!event.defaultPrevented) this.exit(0);
  }
  exit(code: number): void {
    this.calls.push(`exit ${code}`);
    this.exitCode ??= code;
    this.emit("fake-exit", code);
  }
  relaunch(options: unknown): void {
    this.calls.push(`relaunch ${JSON.stringify(options)}`);
  }
}

export const app = new FakeApp();
