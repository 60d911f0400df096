import { nodeStoreFs, type StoreFile, type StoreFs } from "../../gateway/store/disk/store-fs.ts";

/** What a data folder's files are, by what is kept in them. `incoming`: results that are being written. */
export type FileKind = "journal" | "usage" | "incoming" | "media" | "other";

/**
 * Where a process ends itself by SIGKILL. `before` and `written`: the write; `sync`: what was so written is on the
 * disk; `renamed`: a file has its last name. Of those that fit, the `nth`.
 */
export interface KillPoint {
  readonly in: FileKind | "any";
  readonly at: "before" | "written" | "synced" | "renamed" | "any";
  /** Source of a regular expression that the bytes written fit. */
  readonly has?: string;
  readonly nth: number;
}

/** Kills this process at a point of its work on the disk, without any hook in the programs that do this work. */
export class KillPoints {
  #point: KillPoint | null = null;
  #has: RegExp | null = null;
  #passed = 0;

  /** From now on all of the store's and the library's calls to the disk come through here. */
  install(): void {
    const real: StoreFs = { ...nodeStoreFs };
    nodeStoreFs.open = async (path, how) => new WatchedFile(await real.open(path, how), kindOf(path), this);
    nodeStoreFs.rename = async (from, to) => {
      await real.rename(from, to);
      this.pass(kindOf(to), "renamed", true);
    };
  }

  /** Begins to count again; null: no kill. */
  set(point: KillPoint | null): void {
    this.#passed = 0;
    this.#point = point;
    this.#has = point?.has === undefined ? null : new RegExp(point.has);
  }

  /** Whether these bytes are such as the point is about. */
  fits(bytes: Uint8Array): boolean {
    return this.#point !== null && (this.#has === null || this.#has.test(Buffer.from(bytes).toString("latin1")));
  }

  /** @param fits what this is about was such as the point names. */
  pass(kind: FileKind, at: KillPoint["at"], fits: boolean): void {
    const point = this.#point;
    if (point === null || !fits) return;
    if ((point.in !== "any" && point.in !== kind) || (point.at !== "any" && point.at !== at)) return;
    this.#passed += 1;
    if (this.#passed === point.nth) process.kill(process.pid, "SIGKILL");
  }
}

class WatchedFile implements StoreFile {
  readonly #file: StoreFile;
  readonly #kind: FileKind;
  readonly #points: KillPoints;
  /** Something that fits was written and is not synced. */
  #unsynced = false;

  constructor(file: StoreFile, kind: FileKind, points: KillPoints) {
    this.#file = file;
    this.#kind = kind;
    this.#points = points;
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    const fits = this.#begin(bytes);
    await this.#file.write(bytes, position);
    this.#points.pass(this.#kind, "written", fits);
  }

  writeNow(bytes: Uint8Array, position: number): void {
    const fits = this.#begin(bytes);
    this.#file.writeNow(bytes, position);
    this.#points.pass(this.#kind, "written", fits);
  }

  async sync(): Promise<void> {
    const fits = this.#unsynced;
    this.#unsynced = false;
    await this.#file.sync();
    this.#points.pass(this.#kind, "synced", fits);
  }

  read(into: Uint8Array, position: number): Promise<number> {
    return this.#file.read(into, position);
  }

  truncate(length: number): Promise<void> {
    return this.#file.truncate(length);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #begin(bytes: Uint8Array): boolean {
    const fits = this.#points.fits(bytes);
    this.#points.pass(this.#kind, "before", fits);
    this.#unsynced ||= fits;
    return fits;
  }
}

function kindOf(path: string): FileKind {
  if (/journal\.\d+\.ndjson$/.test(path)) return "journal";
  if (/[/\\]usage[/\\]/.test(path)) return "usage";
  if (/[/\\]media[/\\]incoming[/\\]/.test(path)) return "incoming";
  return /[/\\]media[/\\][0-9a-f]{2}[/\\]/.test(path) ? "media" : "other";
}
