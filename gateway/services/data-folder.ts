import type { DataFolderView, FolderPart } from "../contract/maintenance.ts";
import { measureFolder } from "../store/folder/measure-folder.ts";

/** Which part of the data a name in the folder belongs to. */
function getPart(name: string): FolderPart {
  if (/^(?:state|delta)\.\d+\.ndjson$/.test(name)) return "state";
  if (/^journal\.\d+\.ndjson$/.test(name)) return "journal";
  if (name === "secret.key" || name === "secrets.json" || name === "control.token") return "secrets";
  return FOLDERS.find((folder) => folder === name) ?? "other";
}

const FOLDERS = ["usage", "history", "tasks", "media", "recordings", "backups", "quarantine", "desktop"] as const;
const ORDER: readonly FolderPart[] = ["state", "journal", "secrets", ...FOLDERS, "other"];

/** Measures the parts of the data folder. Concurrent calls share one measurement. */
export class DataFolder {
  readonly #dir: string;
  #measuring: Promise<DataFolderView> | null = null;

  constructor(dir: string) {
    this.#dir = dir;
  }

  view(): Promise<DataFolderView> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = null;
    });
    return this.#measuring;
  }

  async #measure(): Promise<DataFolderView> {
    const sums = await measureFolder(this.#dir, getPart);
    const parts = ORDER.flatMap((part) => {
      const sum = sums.get(part);
      return sum === undefined || sum.files === 0 ? [] : [{ part, ...sum }];
    });
    return {
      path: this.#dir,
      bytes: parts.reduce((total, { bytes }) => total + bytes, 0),
      files: parts.reduce((total, { files }) => total + files, 0),
      parts,
    };
  }
}
