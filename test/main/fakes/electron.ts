import { EventEmitter } from "node:events";

/**
 * Stands in for the `electron` module: importing the real one without its binary would download it. It records what
 * the shell asks for and lets a test emit what the operating system would. Used through
 * `vi.mock("electron", () => import("../fakes/electron.ts"))`, so the shell's files run unchanged.
 */

/** An event as Electron hands it to listeners, with its only method. */
export class FakeEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

type Handler = (...given: never[]) => unknown;
type Callable = (...given: unknown[]) => unknown;

class FakeApp extends EventEmitter {
  readonly calls: string[] = [];
  readonly paths = new Map<string, string>();
  readonly switches: string[] = [];
  name = "Electron";
  isPackaged = false;
  hasLock = true;
  exitCode: number | null = null;
  readonly ready = Promise.withResolvers<void>();
  readonly dock = { hide: () => this.calls.push("dock.hide"), show: () => Promise.resolve() };
  readonly commandLine = { appendSwitch: (name: string) => this.switches.push(name) };

  setName(name: string): void {
    this.calls.push("setName");
    this.name = name;
  }
  setAppUserModelId(): void {
    this.calls.push("setAppUserModelId");
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

class FakeIpcMain {
  readonly handlers = new Map<string, Callable>();
  handle(channel: string, handler: Handler): void {
    this.handlers.set(channel, handler as Callable);
  }
}

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

export class Tray extends EventEmitter {
  image: unknown;
  tooltip = "";
  menus: FakeMenu[] = [];
  constructor(image: unknown) {
    super();
    this.image = image;
    trays.push(this);
  }
  setToolTip(text: string): void {
    this.tooltip = text;
  }
  setContextMenu(menu: FakeMenu): void {
    this.menus.push(menu);
  }
  setImage(image: unknown): void {
    this.image = image;
  }
}

export interface FakeMenuItem {
  label?: string;
  role?: string;
  type?: string;
  enabled?: boolean;
  accelerator?: string;
  click?: () => void;
  submenu?: FakeMenuItem[];
}
export interface FakeMenu {
  readonly template: readonly FakeMenuItem[];
}
export const Menu = {
  application: null as FakeMenu | null,
  buildFromTemplate: (template: readonly FakeMenuItem[]): FakeMenu => ({ template }),
  setApplicationMenu(menu: FakeMenu): void {
    Menu.application = menu;
  },
};

export class FakeImage {
  readonly representations: { scaleFactor: number; width: number; height: number; buffer: Buffer }[] = [];
  isTemplate = false;
  addRepresentation(one: FakeImage["representations"][number]): void {
    this.representations.push(one);
  }
  setTemplateImage(isTemplate: boolean): void {
    this.isTemplate = isTemplate;
  }
}
export const nativeImage = { createEmpty: () => new FakeImage() };

export class Notification extends EventEmitter {
  static supported = true;
  static isSupported = (): boolean => Notification.supported;
  readonly options: { title: string; body: string };
  constructor(options: { title: string; body: string }) {
    super();
    this.options = options;
  }
  show(): void {
    notifications.push(this);
  }
}

class FakeSession extends EventEmitter {
  permissionRequest: Callable = () => undefined;
  permissionCheck: Callable = () => undefined;
  devicePermission: Callable = () => undefined;
  displayMedia: Callable = () => undefined;
  beforeRequest: Callable = () => undefined;
  proxy: unknown = null;
  spellChecker = true;
  readonly webRequest = {
    onBeforeRequest: (handler: Handler): void => {
      this.beforeRequest = handler as Callable;
    },
  };
  setPermissionRequestHandler(handler: Handler): void {
    this.permissionRequest = handler as Callable;
  }
  setPermissionCheckHandler(handler: Handler): void {
    this.permissionCheck = handler as Callable;
  }
  setDevicePermissionHandler(handler: Handler): void {
    this.devicePermission = handler as Callable;
  }
  setDisplayMediaRequestHandler(handler: Handler): void {
    this.displayMedia = handler as Callable;
  }
  setSpellCheckerEnabled(enabled: boolean): void {
    this.spellChecker = enabled;
  }
  setProxy(proxy: unknown): Promise<void> {
    this.proxy = proxy;
    return Promise.resolve();
  }
}

class FakeSafeStorage {
  available = true;
  backend = "gnome_libsecret";
  /** What is sealed is marked with it: another keychain cannot open it. */
  keychain = "a";
  isAsyncEncryptionAvailable(): Promise<boolean> {
    return Promise.resolve(this.available);
  }
  getSelectedStorageBackend(): string {
    return this.backend;
  }
  encryptStringAsync(text: string): Promise<Buffer> {
    return Promise.resolve(Buffer.from(`${this.keychain}:${text}`, "utf8"));
  }
  decryptStringAsync(sealed: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    const text = sealed.toString("utf8");
    if (!text.startsWith(`${this.keychain}:`)) return Promise.reject(new Error("Decryption failed"));
    return Promise.resolve({ result: text.slice(this.keychain.length + 1), shouldReEncrypt: false });
  }
}

const display = { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1040 } };

export const app = new FakeApp();
export const ipcMain = new FakeIpcMain();
export const safeStorage = new FakeSafeStorage();
export const windows: BrowserWindow[] = [];
export const trays: Tray[] = [];
export const notifications: Notification[] = [];
export const session = { defaultSession: new FakeSession() };
export const powerMonitor = new EventEmitter();
export const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseDarkColors: false,
  shouldUseDarkColorsForSystemIntegratedUI: false,
});
export const screen = { getPrimaryDisplay: () => display, getAllDisplays: () => [display] };
export const shell = {
  opened: [] as string[],
  openExternal(address: string): Promise<void> {
    shell.opened.push(address);
    return Promise.resolve();
  },
};
export const clipboard = {
  text: "",
  writeText(text: string): void {
    clipboard.text = text;
  },
};
export const dialog = {
  errors: [] as { title: string; content: string }[],
  questions: [] as { message: string; buttons: string[] }[],
  response: 0,
  showErrorBox(title: string, content: string): void {
    dialog.errors.push({ title, content });
  },
  showMessageBox(question: { message: string; buttons: string[] }): Promise<{ response: number }> {
    dialog.questions.push(question);
    return Promise.resolve({ response: dialog.response });
  },
};
export const contextBridge = {
  exposed: new Map<string, unknown>(),
  exposeInMainWorld(name: string, value: unknown): void {
    contextBridge.exposed.set(name, value);
  },
};
export const ipcRenderer = {
  invoked: [] as unknown[][],
  invoke(...given: unknown[]): Promise<unknown> {
    ipcRenderer.invoked.push(given);
    return Promise.resolve({ token: "token-from-main" });
  },
};

/** Forgets everything: call before each test. */
export function resetElectron(): void {
  for (const emitter of [app, powerMonitor, nativeTheme]) emitter.removeAllListeners();
  for (const list of [
    app.calls,
    app.switches,
    windows,
    trays,
    notifications,
    shell.opened,
    dialog.errors,
    dialog.questions,
    ipcRenderer.invoked,
  ]) {
    list.length = 0;
  }
  for (const map of [app.paths, ipcMain.handlers, contextBridge.exposed]) map.clear();
  Object.assign(app, { name: "Electron", isPackaged: false, hasLock: true, exitCode: null });
  Object.assign(safeStorage, new FakeSafeStorage());
  Object.assign(nativeTheme, { shouldUseDarkColors: false, shouldUseDarkColorsForSystemIntegratedUI: false });
  session.defaultSession = new FakeSession();
  Menu.application = null;
  clipboard.text = "";
  dialog.response = 0;
  Notification.supported = true;
}
