import { basename, dirname, join } from "node:path";
import type { Notice } from "../contract/notice.ts";
import type { Clock } from "../lib/clock.ts";
import type { StoreLog } from "./store-event.ts";
import { errorCode } from "./disk/store-fs.ts";
import type { StoreFs } from "./disk/store-fs.ts";

/** Below the data folder. */
export const QUARANTINE_FOLDER = "quarantine";

/** Why bytes were set aside, or what else was found; part of the folder's name. */
export type DamageReason = "damaged" | "torn" | "misplaced" | "invalid-record" | "missing" | "newer" | "exposed";

/**
 * Unusable bytes are kept unchanged in `quarantine/<time>-<reason>/`: data is never deleted because it could not be
 * read. Each case adds one log line and one notice.
 */
export class Quarantine {
  readonly notices: Notice[] = [];
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #log: StoreLog;
  /** Index of the notice about a file, which further damage in it extends. */
  readonly #noticePlaces = new Map<string, number>();
  /** Whether damage is only reported, because nothing is moved in a folder of a newer version. */
  #onlyTell = false;

  constructor(fs: StoreFs, dir: string, clock: Clock, log: StoreLog) {
    this.#fs = fs;
    this.#dir = dir;
    this.#clock = clock;
    this.#log = log;
  }

  onlyTell(): void {
    this.#onlyTell = true;
  }

  /**
   * Moves unusable files away, together if they depend on each other, given by their paths in the data folder. @returns
   * false if the disk refused; the rest stays in place
   */
  async move(names: string | readonly string[], reason: DamageReason, message: string): Promise<boolean> {
    const all = typeof names === "string" ? [names] : names;
    return this.#setAside(all[0] ?? "", reason, message, async (folder) => {
      for (const name of all) {
        const path = join(this.#dir, name);
        await this.#fs.rename(path, join(folder, name.replaceAll(/[/\\]/g, "-")));
        await this.#fs.syncFolder(dirname(path));
      }
      await this.#fs.syncFolder(folder);
    });
  }

  /** Keeps a copy of bytes whose file stays in use. @returns false when the disk refused. */
  async keep(
    name: string,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    reason: DamageReason,
    message: string,
  ): Promise<boolean> {
    return this.#setAside(name, reason, message, async (folder) => {
      const file = await this.#fs.open(join(folder, name), "create");
      try {
        let position = 0;
        for await (const part of bytes instanceof Uint8Array ? [bytes] : bytes) {
          await file.write(part, position);
          position += part.length;
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#fs.syncFolder(folder);
    });
  }

  /** Keeps the lines of records that are as they were written and that this version cannot use. */
  async keepRecords(name: string, lines: readonly Buffer[]): Promise<void> {
    if (lines.length === 0) return;
    const message = `${lines.length} records of ${name} have fields that this version cannot use and were left out.`;
    await this.keep(`${name}.records`, Buffer.concat(lines), "invalid-record", message);
  }

  /** Reports damage without bytes to keep. */
  tell(reason: DamageReason, message: string, folder: string | null, file: string): void {
    const at = this.#clock.now();
    const sentence = folder === null ? message : `${message} What was there is in ${folder}.`;
    const level = reason === "torn" ? "info" : "warning";
    const about = basename(file).replace(/\.(?:from-\d+|records)$/, "");
    const place = this.#noticePlaces.get(about);
    const before = place === undefined ? undefined : this.notices[place];
    if (place !== undefined && before !== undefined) {
      this.notices[place] = { ...before, level: "warning", message: `${before.message} ${sentence}` };
    } else {
      const id = `storage-${at.toString(36)}-${this.notices.length}`;
      this.#noticePlaces.set(about, this.notices.push({ id, level, message: sentence, at }) - 1);
    }
    this.#log({ event: `store.${reason}`, level: "warning", message: sentence, file });
  }

  async #setAside(
    name: string,
    reason: DamageReason,
    message: string,
    work: (folder: string) => Promise<void>,
  ): Promise<boolean> {
    if (this.#onlyTell) {
      this.tell(reason, message, null, name);
      return true;
    }
    try {
      const folder = await this.#folder(reason);
      await work(folder);
      this.tell(reason, message, folder, name);
      return true;
    } catch (error) {
      // A full disk must not prevent a start.
      const code = errorCode(error) || String(error);
      this.tell(reason, `${message} It could not be set aside (${code}).`, null, name);
      return false;
    }
  }

  /** A new folder for one case. */
  async #folder(reason: DamageReason): Promise<string> {
    const root = join(this.#dir, QUARANTINE_FOLDER);
    await this.#fs.makeFolder(root);
    const takenNames = new Set(await this.#fs.list(root));
    const time = new Date(this.#clock.now()).toISOString().replaceAll(":", "").replace(".", "-");
    let name = `${time}-${reason}`;
    for (let count = 2; takenNames.has(name); count += 1) name = `${time}-${reason}-${count}`;
    const folder = join(root, name);
    await this.#fs.makeFolder(folder);
    await this.#fs.syncFolder(root);
    await this.#fs.syncFolder(this.#dir);
    return folder;
  }
}
