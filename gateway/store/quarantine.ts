import { join } from "node:path";
import type { Notice } from "../contract/control.ts";
import type { Clock } from "../lib/clock.ts";
import type { StoreLog } from "./store-event.ts";
import { errorCode } from "./disk/store-fs.ts";
import type { StoreFs } from "./disk/store-fs.ts";

/** Why bytes were set aside; part of the folder's name. */
export type DamageReason = "damaged" | "torn" | "misplaced" | "invalid-record" | "missing" | "newer";

/**
 * Bytes that cannot be used are kept for their owner, unchanged, in `quarantine/<time>-<reason>/`: nothing that was
 * on the disk is ever deleted because it could not be read. Each case makes one log line and one notice.
 */
export class Quarantine {
  readonly notices: Notice[] = [];
  readonly #fs: StoreFs;
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #log: StoreLog;
  /** A folder of a newer version is only looked at: damage is told, nothing is moved. */
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

  /** Moves a file of the data folder away. @returns false when the disk refused; then it stays where it is. */
  async move(name: string, reason: DamageReason, message: string): Promise<boolean> {
    return this.#setAside(name, reason, message, async (folder) => {
      await this.#fs.rename(join(this.#dir, name), join(folder, name));
      await this.#fs.syncFolder(folder);
      await this.#fs.syncFolder(this.#dir);
    });
  }

  /** Keeps a copy of bytes whose file stays in use. @returns false when the disk refused. */
  async keep(name: string, bytes: Uint8Array, reason: DamageReason, message: string): Promise<boolean> {
    return this.#setAside(name, reason, message, async (folder) => {
      const file = await this.#fs.open(join(folder, name), "create");
      try {
        await file.write(bytes, 0);
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

  /** Says that something is wrong where there are no bytes to keep. */
  tell(reason: DamageReason, message: string, folder: string | null, file: string): void {
    const at = this.#clock.now();
    const sentence = folder === null ? message : `${message} The original bytes are in ${folder}.`;
    const id = `storage-${at.toString(36)}-${this.notices.length}`;
    this.notices.push({ id, level: reason === "torn" ? "info" : "warning", message: sentence, at });
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
      // A full disk must not keep anybody from starting.
      const code = errorCode(error) || String(error);
      this.tell(reason, `${message} It could not be set aside (${code}).`, null, name);
      return false;
    }
  }

  /** A new folder for one case. */
  async #folder(reason: DamageReason): Promise<string> {
    const root = join(this.#dir, "quarantine");
    await this.#fs.makeFolder(root);
    const taken = new Set(await this.#fs.list(root));
    const time = new Date(this.#clock.now()).toISOString().replaceAll(":", "").replace(".", "-");
    let name = `${time}-${reason}`;
    for (let count = 2; taken.has(name); count += 1) name = `${time}-${reason}-${count}`;
    const folder = join(root, name);
    await this.#fs.makeFolder(folder);
    await this.#fs.syncFolder(root);
    await this.#fs.syncFolder(this.#dir);
    return folder;
  }
}
