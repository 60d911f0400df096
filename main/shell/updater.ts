import type { Log } from "../../gateway/lib/log.ts";
import type { PreviousVersion } from "../app-image.ts";
import type { Proxy } from "../../gateway/contract/proxy.ts";
import { writePlainText } from "../policy/notice.ts";
import {
  explainFailure,
  IDLE,
  mayCheck,
  unsupportedBecause,
  updateStep,
  type UpdateEvent,
  type UpdateFacts,
  type UpdateState,
} from "../policy/update-state.ts";

/** The part of electron-updater that is used. */
export interface UpdaterLibrary {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  allowPrerelease: boolean;
  allowDowngrade: boolean;
  logger: unknown;
  /** Electron's session that the library's requests go by. */
  readonly netSession: { setProxy(config: { mode: "direct" } | { proxyRules: string }): Promise<void> };
  on(event: "download-progress", listener: (progress: { percent: number }) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  /** A proxy requests credentials. */
  on(event: "login", listener: (request: unknown, respond: (user: string, password: string) => void) => void): unknown;
  /** Null if the library finds nothing to update here. */
  checkForUpdates(): Promise<{ isUpdateAvailable: boolean; updateInfo: { version: string } } | null>;
  downloadUpdate(): Promise<unknown>;
  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean): void;
}

export interface UpdaterOptions {
  readonly facts: UpdateFacts;
  readonly load: () => Promise<UpdaterLibrary>;
  /** Returns the proxy for updates; null for none. */
  readonly findProxy: () => Promise<Proxy | null>;
  readonly log: Pick<Log, "warn">;
  readonly onChange: () => void;
  /** Keeps the current version until the next one is in place. @throws Error with a sentence if it cannot */
  readonly keep: () => PreviousVersion;
  /** Drains, then calls `install`, which is given what to do when it fails. */
  readonly leave: (install: (giveUp: () => void) => void) => void;
}

export interface Updater {
  state(): UpdateState;
  /** Checks for a newer version, only on request. Resolves after the check. */
  check(): Promise<UpdateState>;
  /** Confirms the next step: downloading, or installing the download. */
  next(): Promise<UpdateState>;
}

/** Updates by electron-updater, which verifies downloads; each step needs the user's consent. */
export function createUpdater(options: UpdaterOptions): Updater {
  const reason = unsupportedBecause(options.facts);
  let state: UpdateState = reason === null ? IDLE : { state: "unsupported", version: null, message: reason };
  let loading: Promise<UpdaterLibrary> | null = null;

  const step = (event: UpdateEvent): void => {
    const before = state;
    state = updateStep(state, event);
    if (state !== before) options.onChange();
  };
  const fail = (error: unknown): void => {
    // The library's message continues with headers and stacks: the first line is for users.
    const message = writePlainText((error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "");
    options.log.warn("update.failed", { message });
    step({ type: "failed", message: explainFailure(message) });
  };
  const load = async (): Promise<UpdaterLibrary> => {
    const library = await options.load();
    Object.assign(library, {
      autoDownload: false,
      // macOS installs a downloaded update whenever the app exits; elsewhere only "Restart to update" does.
      autoInstallOnAppQuit: options.facts.platform === "darwin",
      allowPrerelease: false,
      allowDowngrade: false,
      logger: null,
    });
    library.on("download-progress", ({ percent }) => step({ type: "progress", percent }));
    // Each failure also comes back from the call that it belongs to; without a listener it would end the process.
    library.on("error", () => undefined);
    library.on("login", (_asked, respond) => respond(login?.user ?? "", login?.password ?? ""));
    return library;
  };
  let login: Proxy["login"] = null;
  /** Sets the library's proxy before each check, because the user may have changed it. */
  const followProxy = async ({ netSession }: UpdaterLibrary): Promise<void> => {
    const proxy = await options.findProxy();
    login = proxy?.login ?? null;
    const host = proxy?.host.includes(":") === true ? `[${proxy.host}]` : proxy?.host;
    await netSession.setProxy(
      proxy === null ? { mode: "direct" } : { proxyRules: `${proxy.protocol}://${host}:${proxy.port}` },
    );
  };
  /** Loaded on the first check, because most starts have none. */
  const library = (): Promise<UpdaterLibrary> => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  const download = async (version: string): Promise<void> => {
    try {
      await (await library()).downloadUpdate();
      step({ type: "downloaded", version });
    } catch (error) {
      fail(error);
    }
  };
  const install = async (): Promise<void> => {
    const loaded = await library();
    let previous: PreviousVersion;
    try {
      previous = options.keep();
    } catch (error) {
      // Before anything is stopped for it.
      return fail(error);
    }
    options.leave((giveUp) => {
      let hasFailed = false;
      const putBack = (): void => {
        hasFailed = true;
        previous.putBack();
        giveUp();
      };
      loaded.on("error", putBack);
      loaded.quitAndInstall(true, true);
      if (!hasFailed) previous.forget();
    });
  };
  return {
    state: () => state,
    async check() {
      if (!mayCheck(state)) return state;
      step({ type: "check" });
      try {
        const loaded = await library();
        await followProxy(loaded);
        const found = await loaded.checkForUpdates();
        const version = writePlainText(found?.updateInfo.version ?? "", 50);
        step(found?.isUpdateAvailable === true ? { type: "found", version } : { type: "none" });
      } catch (error) {
        fail(error);
      }
      return state;
    },
    async next() {
      const { version } = state;
      if (state.state === "available" && version !== null) {
        step({ type: "download" });
        void download(version);
      } else if (state.state === "ready") {
        await install();
      }
      return state;
    },
  };
}
