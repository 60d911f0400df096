import { join } from "node:path";
import * as z from "zod";
import { parseJson, replaceWithJson } from "../gateway/store/disk/atomic-file.ts";
import type { StoreFs } from "../gateway/store/disk/store-fs.ts";
import { removeTemporary } from "../gateway/store/folder/data-folder.ts";
import { reportedBudgetsSchema } from "./policy/budget-notices.ts";
import { appearanceSchema } from "./policy/appearance.ts";
import { windowStateSchema } from "./policy/window-bounds.ts";

const memorySchema = z.object({
  window: windowStateSchema.nullable(),
  /** Whether the user was notified that closing the window leaves Postern in the tray. */
  toldAboutTray: z.boolean(),
  /** Whether closing the window leaves Postern in the tray. */
  closeToTray: z.boolean().default(true),
  /** Whether the system's notice about a missing keychain was shown. */
  toldNoKeychain: z.boolean().default(false),
  /** Whether notices of the system are shown. */
  notifications: z.boolean().default(true),
  /** Language and theme of the pages. */
  appearance: appearanceSchema.catch({ language: null, theme: "system" }),
  /** How much of which budget a notice has reported as spent. */
  toldBudgets: reportedBudgetsSchema.default({}),
});
type Memory = z.infer<typeof memorySchema>;

/** State that the desktop shell remembers from one start to the next. Nothing in it is worth refusing to start for. */
export interface DesktopMemory {
  readonly value: Memory;
  /** Changes it now and writes it soon after; a write that fails is tried again with the next change. */
  update(change: Partial<Memory>): void;
  /** Resolves when everything so far is written, or could not be. */
  written(): Promise<void>;
}

const NOTHING: Memory = memorySchema.parse({ window: null, toldAboutTray: false });

const FILE = "desktop.json";

/** Reads the current `desktop.json` of a folder. */
export async function readDesktopMemory(fs: StoreFs, folder: string): Promise<Memory> {
  try {
    return memorySchema.parse(parseJson(await fs.readWhole(join(folder, FILE))));
  } catch {
    // The file is missing on a first start; a damaged one only loses the window's place.
    return NOTHING;
  }
}

/**
 * Opens `desktop.json` in a folder of the desktop shell's own.
 * @param folder made when missing.
 */
export async function openDesktopMemory(fs: StoreFs, folder: string): Promise<DesktopMemory> {
  const path = join(folder, FILE);
  await removeTemporary(fs, folder).catch(() => undefined);
  let value = await readDesktopMemory(fs, folder);
  let saved = value;
  let writing: Promise<void> = Promise.resolve();
  const save = async (): Promise<void> => {
    if (saved === value) return;
    const current = value;
    try {
      await fs.makeFolder(folder);
      await replaceWithJson(fs, path, current);
      saved = current;
    } catch {
      // The disk is full or missing, which the gateway reports in a notice.
    }
  };
  return {
    get value() {
      return value;
    },
    update(change) {
      value = { ...value, ...change };
      writing = writing.then(save);
    },
    written: () => writing,
  };
}
