import { join } from "node:path";
import { crc32 } from "node:zlib";
import * as z from "zod";
import { mediaOriginSchema } from "../../contract/media.ts";
import type { MediaOriginRecord } from "../../contract/media.ts";
import { parseJson, isTemporary, replaceWithJson } from "../disk/atomic-file.ts";
import { errorCode } from "../disk/store-fs.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { Quarantine } from "../quarantine.ts";
import { isMediaId } from "./sidecar.ts";

/** A result at a provider's URL that is to be downloaded. */
export interface PendingMedia {
  readonly id: string;
  readonly at: number;
  readonly url: string;
  /** `host:port` of the connection that gave the address: that host may be private. */
  readonly target: string;
  /** Unix milliseconds; then the provider has deleted it. */
  readonly expires_at: number;
  readonly origin: MediaOriginRecord;
}

const pendingSchema = z.looseObject({
  id: z.string(),
  at: z.number().int(),
  url: z.string(),
  target: z.string(),
  expires_at: z.number().int(),
  origin: mediaOriginSchema.loose(),
});

/** @returns null if it is not a pending result */
export function parsePending(value: unknown): PendingMedia | null {
  const found = pendingSchema.safeParse(value);
  return found.success && isMediaId(found.data.id) ? found.data : null;
}

const PENDING = "pending";
const DELETED = "deleted";

/**
 * Pending work of the library, in a few files that a start reads: `pending/<id>.json` for each result to download, and
 * an empty file `deleted/<id>.<until>` for each deleted result that can still be restored.
 */
export class MediaNotes {
  readonly pending = new Map<string, PendingMedia>();
  /** Until when each deleted result can be brought back, Unix ms. */
  readonly deleted = new Map<string, number>();
  /** Files of a refused change that must still be created or removed. */
  readonly #undone = new Map<string, boolean>();
  /** Folders that were created. */
  readonly #made = new Set<string>();
  readonly #fs: StoreFs;
  readonly #dir: string;

  /** @param dir the library's folder */
  constructor(fs: StoreFs, dir: string) {
    this.#fs = fs;
    this.#dir = dir;
  }

  /** Reads the pending work of an earlier run. A damaged download note goes to quarantine. @throws the disk's error */
  async open(quarantine: Quarantine, readOnly: boolean): Promise<void> {
    const { pending, deleted } = this;
    for (const name of await this.#fs.list(join(this.#dir, DELETED))) {
      const [, id = "", until = ""] = /^(\w+)\.(\d{1,16})$/.exec(name) ?? [];
      if (!isMediaId(id)) continue;
      // A crash can leave two notes; the later one counts.
      const [earlier, later] = [Number(until), deleted.get(id) ?? Number(until)].toSorted((a, b) => a - b);
      if (earlier !== later && !readOnly) await this.#fs.remove(this.#getDeleted(id, Number(earlier)));
      deleted.set(id, Number(later));
    }
    const damaged: string[] = [];
    for (const name of await this.#fs.list(join(this.#dir, PENDING))) {
      const path = join(this.#dir, PENDING, name);
      if (isTemporary(name) && !readOnly) await this.#fs.remove(path);
      if (!name.endsWith(".json") || (await this.#fs.size(path)) === null) continue;
      const found = parseNote(await this.#fs.readWhole(path));
      if (found === null) damaged.push(join("media", PENDING, name));
      else pending.set(found.id, found);
    }
    const message = `${damaged.length} results that were being fetched into the library are lost: what was noted of them is damaged.`;
    if (damaged.length > 0) await quarantine.move(damaged, "damaged", message);
  }

  /** @throws the disk's error */
  async addPending(pending: PendingMedia): Promise<void> {
    const check = crc32(JSON.stringify(pending));
    await this.#makeFolder(PENDING);
    await replaceWithJson(this.#fs, this.#getPending(pending.id), { pending, check });
    this.pending.set(pending.id, pending);
  }

  /** @throws the disk's error */
  async dropPending(id: string): Promise<void> {
    if (!this.pending.has(id)) return;
    await this.#fs.remove(this.#getPending(id));
    this.pending.delete(id);
    await this.#fs.syncFolder(join(this.#dir, PENDING));
  }

  /** Notes that results were deleted, all or none. @throws the disk's error */
  async addDeleted(ids: readonly string[], until: number): Promise<void> {
    const paths = ids.map((id) => this.#getDeleted(id, until));
    await this.#change(paths, { make: true });
    for (const id of ids) this.deleted.set(id, until);
  }

  /** Removes deletion notes of restored or removed results, all or none. @throws the disk's error */
  async dropDeleted(ids: readonly string[]): Promise<void> {
    const paths = ids.flatMap((id) => {
      const until = this.deleted.get(id);
      return until === undefined ? [] : [this.#getDeleted(id, until)];
    });
    await this.#change(paths, { make: false });
    for (const id of ids) this.deleted.delete(id);
  }

  /** Takes back a change that the disk refused half way. @throws the disk's error: then the next change tries again */
  async settle(): Promise<void> {
    if (this.#undone.size === 0) return;
    for (const [path, isMade] of this.#undone) await this.#set(path, isMade);
    await this.#fs.syncFolder(join(this.#dir, DELETED));
    this.#undone.clear();
  }

  #set(path: string, isMade: boolean): Promise<void> {
    return isMade ? this.#create(path) : this.#fs.remove(path);
  }

  async #change(paths: readonly string[], { make }: { readonly make: boolean }): Promise<void> {
    await this.settle();
    await this.#makeFolder(DELETED);
    try {
      for (const path of paths) await this.#set(path, make);
      await this.#fs.syncFolder(join(this.#dir, DELETED));
    } catch (error) {
      for (const path of paths) this.#undone.set(path, !make);
      await this.settle().catch(() => undefined);
      throw error;
    }
  }

  async #makeFolder(name: string): Promise<void> {
    if (this.#made.has(name)) return;
    await this.#fs.makeFolder(join(this.#dir, name));
    await this.#fs.syncFolder(this.#dir);
    this.#made.add(name);
  }

  #getPending(id: string): string {
    return join(this.#dir, PENDING, `${id}.json`);
  }

  #getDeleted(id: string, until: number): string {
    return join(this.#dir, DELETED, `${id}.${until}`);
  }

  async #create(path: string): Promise<void> {
    try {
      await (await this.#fs.open(path, "create")).close();
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

function parseNote(bytes: Buffer): PendingMedia | null {
  try {
    const { pending, check } = parseJson(bytes) as { readonly pending: unknown; readonly check: unknown };
    return check === crc32(JSON.stringify(pending)) ? parsePending(pending) : null;
  } catch {
    return null;
  }
}
