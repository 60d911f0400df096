import { app } from "electron";
import { join } from "node:path";
import { replaceFile } from "../../gateway/store/disk/atomic-file.ts";
import type { StoreFs } from "../../gateway/store/disk/store-fs.ts";
import type { AutostartSwitch } from "../tray-switches.ts";
import { AUTOSTART_FILE, autostartFolder, autostartWay, isEntryOn, type AutostartFacts } from "../policy/autostart.ts";

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
  const found = autostartWay(facts);
  if (found.way === "login-item") return loginItem(found.args);
  const folder = autostartFolder(env);
  return found.way === "none" || folder === null ? unavailable : entryFile(fs, folder, found.text);
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

function entryFile(fs: StoreFs, folder: string, text: string | null): AutostartSwitch {
  const path = join(folder, AUTOSTART_FILE);
  const read = async (): Promise<boolean> => {
    const content = await fs.readWhole(path).catch(() => null);
    return content !== null && isEntryOn(content.toString("utf8"));
  };
  return {
    read,
    async set(on) {
      if (!on) {
        if ((await fs.size(path)) !== null) await fs.remove(path);
        return;
      }
      if (text === null) throw new Error("Postern's path cannot be written into an autostart file.");
      await fs.makeFolder(folder);
      await replaceFile(fs, path, (file) => file.write(Buffer.from(text), 0));
    },
  };
}

/** Whether the session started this process: then no window is opened. */
export function wasStartedBySession(): boolean {
  return process.platform === "darwin" && app.getLoginItemSettings().wasOpenedAtLogin;
}
