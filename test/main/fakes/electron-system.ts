import { EventEmitter } from "node:events";

type Handler = (...given: never[]) => unknown;
type Callable = (...given: unknown[]) => unknown;

export class FakeIpcMain {
  readonly handlers = new Map<string, Callable>();
  handle(channel: string, handler: Handler): void {
    this.handlers.set(channel, handler as Callable);
  }
}

export class FakeSession extends EventEmitter {
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

export class FakeSafeStorage {
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
