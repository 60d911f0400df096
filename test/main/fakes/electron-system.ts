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
  /** False: it never has an answer, as with a keyring that waits for its password. */
  available = true;
  /** How often it says no before its keychain has answered, as Electron 42 does. */
  early = 0;
  /** Refuses everything. */
  refuses = false;
  backend = "gnome_libsecret";
  /** What is sealed is marked with it: another keychain cannot open it. `v10` is the fixed password of Linux. */
  keychain = "v11a";
  isAsyncEncryptionAvailable(): Promise<boolean> {
    this.early -= 1;
    return Promise.resolve(this.available && this.early < 0);
  }
  getSelectedStorageBackend(): string {
    return this.backend;
  }
  encryptStringAsync(text: string): Promise<Buffer> {
    this.#require();
    return Promise.resolve(Buffer.from(`${this.keychain}:${text}`, "utf8"));
  }
  decryptStringAsync(sealed: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    this.#require();
    const [keychain, text = ""] = sealed.toString("utf8").split(":");
    const opens = keychain === this.keychain || keychain === "v10";
    if (!opens || this.refuses) return Promise.reject(new Error("Decryption failed"));
    return Promise.resolve({ result: text, shouldReEncrypt: false });
  }
  /** Electron 42 ends the process when it is asked too early. */
  #require(): void {
    if (!this.available || this.early > 0) throw new Error("asked before the keychain has answered");
  }
}
