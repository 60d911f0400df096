import { EventEmitter } from "node:events";
import { FakeEvent, app } from "./electron-app.ts";
import { FakeIpcMain, FakeSafeStorage, FakeSession } from "./electron-system.ts";
import { BaseWindow, baseWindows, BrowserWindow, FakeContents, windows } from "./electron-window.ts";

/**
 * Stands in for the `electron` module: importing the real one without its binary would download it. It records what
 * the shell asks for and lets a test emit what the operating system would. Used through
 * `vi.mock("electron", () => import("./electron.ts"))`, so the shell's files run unchanged.
 */

export class Tray extends EventEmitter {
  image: unknown;
  tooltip = "";
  menus: FakeMenu[] = [];
  isDestroyed = false;
  constructor(image: unknown) {
    super();
    this.image = image;
    trays.push(this);
  }
  destroy(): void {
    this.isDestroyed = true;
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
  id?: string;
  label?: string;
  role?: string;
  type?: string;
  enabled?: boolean;
  checked?: boolean;
  accelerator?: string;
  click?: () => void;
  submenu?: FakeMenuItem[];
}
export interface FakeMenu {
  readonly template: readonly FakeMenuItem[];
  popup(): void;
  getMenuItemById(id: string): FakeMenuItem | null;
}
export const Menu = {
  application: null as FakeMenu | null,
  /** What was opened as a menu of its own, in order. */
  popups: [] as (readonly FakeMenuItem[])[],
  buildFromTemplate: (template: readonly FakeMenuItem[]): FakeMenu => ({
    template,
    popup: () => void Menu.popups.push(template),
    getMenuItemById: (id) => template.flatMap(({ submenu = [] }) => submenu).find((item) => item.id === id) ?? null,
  }),
  setApplicationMenu(menu: FakeMenu): void {
    Menu.application = menu;
  },
  getApplicationMenu: () => Menu.application,
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
/** A picture that was read from a file; empty where its name says that it cannot be. */
class FilePicture {
  readonly path: string;
  resized: unknown = null;
  constructor(path: string) {
    this.path = path;
  }
  isEmpty(): boolean {
    return !/\.(png|jpg)$/.test(this.path);
  }
  getSize() {
    return { width: 300, height: 200 };
  }
  resize(to: unknown): this {
    this.resized = to;
    return this;
  }
}
export const nativeImage = {
  createEmpty: () => new FakeImage(),
  createFromPath: (path: string) => new FilePicture(path),
};

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

const display = { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1040 } };

export { BaseWindow, baseWindows, BrowserWindow, FakeContents, FakeEvent, app, windows };
export const systemPreferences = { canPromptTouchID: () => false };
export const crashReporter = {
  options: null as unknown,
  start: (options: unknown): void => void (crashReporter.options = options),
};
export const ipcMain = new FakeIpcMain();
export const safeStorage = new FakeSafeStorage();
export const trays: Tray[] = [];
export const notifications: Notification[] = [];
export const session = { defaultSession: new FakeSession() };
export const powerMonitor = new EventEmitter();
export const nativeTheme = Object.assign(new EventEmitter(), {
  themeSource: "system",
  shouldUseDarkColors: false,
  shouldUseDarkColorsForSystemIntegratedUI: false,
});
export const screen = { getPrimaryDisplay: () => display, getAllDisplays: () => [display] };
export const shell = {
  opened: [] as string[],
  folders: [] as string[],
  /** What the system says when it cannot open a folder. */
  folderFailure: "",
  openPath(path: string): Promise<string> {
    shell.folders.push(path);
    return Promise.resolve(shell.folderFailure);
  },
  shown: [] as string[],
  showItemInFolder(path: string): void {
    shell.shown.push(path);
  },
  openExternal(address: string): Promise<void> {
    shell.opened.push(address);
    return Promise.resolve();
  },
};
export const clipboard = {
  text: "",
  writeText(text: string): Promise<void> {
    clipboard.text = text;
    return Promise.resolve();
  },
};
export const dialog = {
  questions: [] as { message: string; buttons: string[]; icon?: string }[],
  /** The windows in front of which they were, where there was one. */
  parents: [] as unknown[],
  response: 0,
  /** With a window in front of it, or without. */
  showMessageBox(...given: unknown[]): Promise<{ response: number }> {
    dialog.questions.push(given.at(-1) as { message: string; buttons: string[] });
    dialog.parents.push(given.length === 1 ? null : given[0]);
    return Promise.resolve({ response: dialog.response });
  },
};
export const contextBridge = {
  exposed: new Map<string, unknown>(),
  exposeInMainWorld(name: string, value: unknown): void {
    contextBridge.exposed.set(name, value);
  },
};
export const ipcRenderer = Object.assign(new EventEmitter(), {
  invoked: [] as unknown[][],
  invoke(...given: unknown[]): Promise<unknown> {
    ipcRenderer.invoked.push(given);
    return Promise.resolve({ token: "token-from-main" });
  },
});

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
    shell.shown,
    shell.folders,
    app.protocols,
    dialog.questions,
    dialog.parents,
    ipcRenderer.invoked,
    Menu.popups,
  ]) {
    list.length = 0;
  }
  for (const map of [app.paths, ipcMain.handlers, contextBridge.exposed]) map.clear();
  Object.assign(app, {
    name: "Electron",
    isPackaged: false,
    hasLock: true,
    exitCode: null,
    ready: Promise.withResolvers(),
  });
  Object.assign(safeStorage, new FakeSafeStorage());
  Object.assign(nativeTheme, {
    themeSource: "system",
    shouldUseDarkColors: false,
    shouldUseDarkColorsForSystemIntegratedUI: false,
  });
  session.defaultSession = new FakeSession();
  Menu.application = null;
  clipboard.text = "";
  dialog.response = 0;
  shell.folderFailure = "";
  Object.assign(app, { locale: "en-US", loginItem: { openAtLogin: false, args: [] }, wasOpenedAtLogin: false });
  app.takesLoginItem = true;
  app.compositing = "disabled_software";
  Notification.supported = true;
}
