import { EventEmitter } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import type { Proxy } from "../../../gateway/contract/proxy.ts";
import { createUpdater, type UpdaterLibrary } from "../../../main/shell/updater.ts";

/** Stands in for electron-updater. */
class FakeLibrary extends EventEmitter implements UpdaterLibrary {
  autoDownload = true;
  autoInstallOnAppQuit = true;
  allowPrerelease = true;
  allowDowngrade = true;
  logger: unknown = console;
  response: () => Promise<{ isUpdateAvailable: boolean; updateInfo: { version: string } } | null> = () =>
    Promise.resolve({ isUpdateAvailable: true, updateInfo: { version: "2.0.0" } });
  downloaded = Promise.withResolvers<void>();
  readonly calls: string[] = [];
  readonly proxies: object[] = [];
  readonly netSession = {
    setProxy: (config: object) => {
      this.proxies.push(config);
      return Promise.resolve();
    },
  };
  checkForUpdates() {
    this.calls.push("check");
    return this.response();
  }
  downloadUpdate() {
    this.calls.push("download");
    return this.downloaded.promise;
  }
  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean) {
    this.calls.push(`install ${isSilent} ${isForceRunAfter}`);
  }
}

let library: FakeLibrary;
let logged: string[] = [];
let loads = 0;
let givenUp = 0;
let stored: string[] = [];
let keepFails = false;
let proxy: Proxy | null = null;
const supported = { isPackaged: true, platform: "linux", isAppImage: true, hasFeed: true } as const;

const create = (change: object = {}) =>
  createUpdater({
    facts: { ...supported, ...change },
    load: () => {
      loads += 1;
      return Promise.resolve(library);
    },
    findProxy: () => Promise.resolve(proxy),
    log: { warn: (event, fields) => logged.push(`${event} ${String(fields?.["message"])}`) },
    onChange: () => undefined,
    keep: () => {
      if (keepFails) throw new Error("The AppImage cannot be replaced: EACCES");
      stored.push("kept");
      return { putBack: () => stored.push("put back"), forget: () => stored.push("forgotten") };
    },
    leave: (install) => install(() => (givenUp += 1)),
  });

beforeEach(() => {
  library = new FakeLibrary();
  logged = [];
  loads = givenUp = 0;
  stored = [];
  keepFails = false;
  proxy = null;
});

const downloaded = async () => {
  const updater = create();
  await updater.check();
  await updater.next();
  library.downloaded.resolve();
  await expect.poll(() => updater.state().state).toBe("ready");
  return updater;
};

describe("the updater", () => {
  it("looks through the proxy that holds now, with its login", async () => {
    const updater = create();
    library.response = () => Promise.resolve(null);
    await updater.check();
    proxy = { protocol: "socks5", host: "fd00::1", port: 1080, login: { user: "me", password: "secret" } };
    await updater.check();
    expect(library.proxies).toStrictEqual([{ mode: "direct" }, { proxyRules: "socks5://[fd00::1]:1080" }]);
    const given: string[] = [];
    library.emit("login", {}, (...login: string[]) => given.push(...login));
    expect(given).toStrictEqual(["me", "secret"]);
  });

  it("takes one step for each word of the owner: look, download, install", async () => {
    const updater = create();
    expect([updater.state().state, loads]).toStrictEqual(["idle", 0]);
    expect(await updater.check()).toMatchObject({ state: "available", version: "2.0.0" });
    expect(library.calls).toStrictEqual(["check"]);
    expect(await updater.next()).toMatchObject({ state: "downloading" });
    library.emit("download-progress", { percent: 50.4 });
    expect(updater.state().message).toBe("50 %");
    expect((await updater.next()).state).toBe("downloading");
    library.downloaded.resolve();
    await expect.poll(() => updater.state().state).toBe("ready");
    expect(library.calls).toStrictEqual(["check", "download"]);
    await updater.next();
    expect(library.calls.at(-1)).toBe("install true true");
    library.emit("error", new Error("The installer did not start."));
    expect([givenUp, loads]).toStrictEqual([1, 1]);
  });

  it("keeps the version of now until the next one has its place", async () => {
    await (await downloaded()).next();
    expect(stored).toStrictEqual(["kept", "forgotten"]);
  });

  it("puts the version of now back before it gives up", async () => {
    library.quitAndInstall = () => void library.emit("error", new Error("mv failed"));
    await (await downloaded()).next();
    expect([stored, givenUp]).toStrictEqual([["kept", "put back"], 1]);
  });

  it("stops nothing where the version of now cannot be kept", async () => {
    const updater = await downloaded();
    keepFails = true;
    expect(await updater.next()).toMatchObject({ state: "failed", message: "The AppImage cannot be replaced: EACCES" });
    expect(library.calls).toStrictEqual(["check", "download"]);
  });

  it.each([
    ["linux", false],
    ["darwin", true],
  ] as const)("lets the library do nothing by itself (on %s it installs at the end: %s)", async (platform, atEnd) => {
    await create({ platform }).check();
    expect(library).toMatchObject({
      autoDownload: false,
      autoInstallOnAppQuit: atEnd,
      allowPrerelease: false,
      allowDowngrade: false,
      logger: null,
    });
  });

  it("says a failure in one line, does not try again by itself, and may be asked again", async () => {
    const updater = create();
    const headers = `HttpError: 404\n"method: GET"\nHeaders: {"set-cookie": "x"}`;
    library.response = () => {
      library.emit("error", new Error(headers));
      return Promise.reject(new Error(headers));
    };
    expect(await updater.check()).toStrictEqual({ state: "failed", version: null, message: "HttpError: 404" });
    expect(logged).toStrictEqual(["update.failed HttpError: 404"]);
    expect((await updater.next()).state).toBe("failed");
    expect(library.calls).toStrictEqual(["check"]);
    library.response = () => Promise.resolve({ isUpdateAvailable: false, updateInfo: { version: "1.0.0" } });
    expect(await updater.check()).toMatchObject({ state: "idle", message: "This is the newest version." });
  });

  it("fails in words when a download fails", async () => {
    const updater = create();
    await updater.check();
    await updater.next();
    library.downloaded.reject(new Error("sha512 checksum mismatch"));
    await expect.poll(() => updater.state()).toMatchObject({ state: "failed", message: "sha512 checksum mismatch" });
    library.checkForUpdates = () =>
      Promise.reject(new Error("Could not get code signature for running application\nat Squirrel"));
    expect((await updater.check()).message).toMatch(/^macOS lets only signed apps update themselves/);
    expect(logged.at(-1)).toBe("update.failed Could not get code signature for running application");
  });

  it("sends no request where it is unsupported", async () => {
    const updater = create({ isAppImage: false });
    expect(await updater.check()).toMatchObject({ state: "unsupported", message: expect.stringContaining("apt") });
    expect((await updater.next()).state).toBe("unsupported");
    expect(loads).toBe(0);
  });
});
