import { app } from "electron";
import { join } from "node:path";
import { replaceFile } from "../../gateway/store/disk/atomic-file.ts";
import type { StoreFs } from "../../gateway/store/disk/store-fs.ts";
import type { AutostartSwitch } from "../tray-switches.ts";
import {
  AUTOSTART_FILE,
  getAutostartFolder,
  createAutostartWay,
  isEntryOn,
  getProgram,
  withProgram,
  type AutostartFacts,
} from "../policy/autostart.ts";

export interface AutostartOptions {
  readonly fs: StoreFs;
  /** Postern's own options of this start. */
  readonly own: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const unavailable: AutostartSwitch = {
  read: () => Promise.resolve(null),
  set: () => Promise.reject(new Error("Only an installed Postern can start with your session.")),
};

/** Starting with the session: the system's own list on macOS and Windows, an autostart file elsewhere. */
export function createAutostart({ fs, own, env }: AutostartOptions): AutostartSwitch {
  const facts: AutostartFacts = {
    platform: process.platform,
    isPackaged: app.isPackaged,
    executable: process.execPath,
    appImage: env["APPIMAGE"] ?? null,
    own,
  };
  const found = createAutostartWay(facts);
  if (found.way === "login-item") return loginItem(found.args);
  const folder = getAutostartFolder(env);
  if (found.way === "none" || folder === null) return unavailable;
  return getEntryFile(fs, folder, found.text, facts.appImage ?? facts.executable);
}

function loginItem(given: readonly string[]): AutostartSwitch {
  const args = [...given];
  return {
    read: () => Promise.resolve(app.getLoginItemSettings({ args }).openAtLogin),
    set(on) {
      app.setLoginItemSettings({ openAtLogin: on, args });
      return app.getLoginItemSettings({ args }).openAtLogin === on
        ? Promise.resolve()
        : Promise.reject(new Error("The system did not take the change: look at its own list of login items."));
    },
  };
}

function getEntryFile(fs: StoreFs, folder: string, text: string | null, program: string): AutostartSwitch {
  const path = join(folder, AUTOSTART_FILE);
  const content = async (): Promise<string | null> => {
    const bytes = await fs.readWhole(path).catch(() => null);
    return bytes === null ? null : bytes.toString("utf8");
  };
  const write = async (written: string): Promise<void> => {
    await fs.makeFolder(folder);
    await replaceFile(fs, path, (file) => file.write(Buffer.from(written), 0));
  };
  /** An update renames an AppImage, and a user may move it: a session would then silently start nothing. */
  const followProgram = async (): Promise<void> => {
    const now = await content();
    const named = now === null ? null : getProgram(now);
    if (now === null || named === null || (await fs.check(named)) !== null) return;
    const renewed = withProgram(now, program);
    if (renewed !== null) await write(renewed);
  };
  const followed = followProgram().catch(() => undefined);
  const read = async (): Promise<boolean> => {
    await followed;
    const now = await content();
    return now !== null && isEntryOn(now);
  };
  return {
    read,
    async set(on) {
      if (!on) {
        if ((await fs.size(path)) !== null) await fs.remove(path);
        return;
      }
      if (text === null) throw new Error("Postern's path cannot be written into an autostart file.");
      await write(text);
    },
  };
}

/** Tells whether the login session started this process; then no window is opened. */
export function wasStartedBySession(): boolean {
  return process.platform === "darwin" && app.getLoginItemSettings().wasOpenedAtLogin;
}
