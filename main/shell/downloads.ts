import { app, shell, type DownloadItem } from "electron";
// oxlint-disable-next-line no-restricted-imports -- Electron takes a path only while it tells of a download: gateway/store answers later.
import { existsSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { formatDownloadName, type DownloadedFile } from "../policy/download-name.ts";

/** Max downloads that can still be shown in their folder; older ones are dropped. */
const MOST_KEPT = 50;

export interface Downloads {
  /** Saves an allowed download. Call it within Electron's event: later Electron has already shown its own dialog. */
  save(item: DownloadItem): void;
  /**
   * Shows a reported file in its folder.
   * @throws if the number is not one of a reported file.
   */
  show(id: unknown): void;
}

/** Returns the user's downloads folder, created if missing; null if impossible. */
function getDownloadsFolder(): string | null {
  try {
    const [named, home] = [app.getPath("downloads"), app.getPath("home")];
    // If the session names no folder, Electron on Linux returns the home folder itself.
    const folder = named === home ? join(home, "Downloads") : named;
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch {
    return null;
  }
}

/**
 * Saves files like a browser: into the downloads folder, without overwriting, with a notice.
 * @param tell called when a file was saved or failed; not when cancelled
 */
export function createDownloads(tell: (file: DownloadedFile) => void): Downloads {
  const saved = new Map<number, string>();
  /** Downloads in progress: their files may not exist yet. */
  const busy = new Set<string>();
  let last = 0;
  return {
    save(item) {
      const folder = getDownloadsFolder();
      if (folder !== null) {
        const isTaken = (name: string): boolean => busy.has(name) || existsSync(join(folder, name));
        const name = formatDownloadName(item.getFilename(), isTaken);
        busy.add(name);
        item.once("done", () => busy.delete(name));
        item.setSavePath(join(folder, name));
      }
      // Without a folder Electron asks for one.
      item.once("done", (_event, state) => {
        if (state === "cancelled") return;
        const path = item.getSavePath();
        const id = ++last;
        if (state === "completed") saved.set(id, path);
        for (const oldest of saved.keys()) {
          if (saved.size <= MOST_KEPT) break;
          saved.delete(oldest);
        }
        tell({ id, name: basename(path), folder: dirname(path), saved: state === "completed" });
      });
    },
    show(id) {
      const path = saved.get(id as number);
      if (path === undefined) throw new Error("This file was not saved by the window.");
      shell.showItemInFolder(path);
    },
  };
}
