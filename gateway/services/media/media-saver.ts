import type { MediaOriginRecord } from "../../contract/media.ts";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { Limiter } from "../../lib/limiter.ts";
import { MediaRefused } from "../../store/media/media-incoming.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import { LONGEST_URL } from "../../upstream/download-target.ts";
import { formatTarget } from "../../upstream/targets.ts";
import type { Connection } from "../connections/connection.ts";
import type { EnterMedia } from "./enter-media.ts";
import type { KeepMedia, MediaOrigin } from "./keep-media.ts";
import { stopping } from "./media-fetches.ts";
import type { MediaFetches } from "./media-fetches.ts";
import { originRecord } from "./keep-media.ts";
import { getReason } from "./enter-media.ts";

/** Files that are written at the same time. */
const AT_ONCE = 4;
/** Results that wait for the disk, in memory: more than this means that the disk does not keep up. */
const MOST_WAITING_BYTES = 256 * 1024 * 1024;
/** DashScope deletes results after 24 hours (docs/providers/dashscope.md#speech); others are taken to do the same. */
const URL_LIFE_MS = 24 * 60 * 60 * 1_000;

export interface MediaSaverDeps {
  readonly clock: Clock;
  /** Opens the library, or throws the reason why it cannot be opened. */
  readonly store: () => Promise<MediaStore>;
  readonly entries: EnterMedia;
  readonly fetches: MediaFetches;
}

/** Saves results, a few at a time: bytes at once, what lies at an address when it was fetched. */
export class MediaSaver {
  readonly #deps: MediaSaverDeps;
  readonly #writes = new Limiter({ each: AT_ONCE });
  /** Ids whose bytes are being written for a caller. */
  readonly #saving = new Map<string, Promise<boolean>>();
  #waitingBytes = 0;
  #stopped = false;

  constructor(deps: MediaSaverDeps) {
    this.#deps = deps;
  }

  readonly keep: KeepMedia = async (source, origin) => {
    const { entries, fetches } = this.#deps;
    try {
      const record = originRecord(origin);
      if (source.kind === "bytes") return await this.#keepBytes(source.bytes, record);
      if (source.url.startsWith("data:")) return await this.#keepBytes(inlineBytes(source.url), record);
      if (this.#stopped) return this.#refuse(record, "stopping", "Postern is stopping.");
      if (source.url.length > LONGEST_URL) return this.#refuse(record, "address", "its address is too long.");
      const id = newId("media");
      const fetched = fetches.add(this.#createPending(id, source.url, source.connection, record));
      return (await fetched.catch(() => false)) ? id : null;
    } catch (error) {
      entries.reportRefusal({ model: origin.model, request_id: origin.requestId }, "bug", String(error));
      return null;
    }
  };

  /** See `MediaLibrary.fetchAs`. */
  async fetchAs(id: string, url: string, connection: Connection, origin: MediaOrigin): Promise<boolean> {
    const record = originRecord(origin);
    if (url.startsWith("data:")) return this.saveAs(id, inlineChunks(url), origin);
    if (url.length <= LONGEST_URL) return this.#deps.fetches.add(this.#createPending(id, url, connection, record));
    this.#deps.entries.reportRefusal(record, "address", "its address is too long.");
    return false;
  }

  /** See `MediaLibrary.saveAs`. */
  saveAs(id: string, chunks: AsyncIterable<Uint8Array>, origin: MediaOrigin): Promise<boolean> {
    const running = this.#saving.get(id);
    if (running !== undefined) return running;
    const saving = this.#save(id, chunks, originRecord(origin)).finally(() => this.#saving.delete(id));
    this.#saving.set(id, saving);
    return saving;
  }

  /** Takes nothing more. Resolves when everything is saved. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled([this.#writes.idle(), ...this.#saving.values()]);
  }

  async #save(id: string, chunks: AsyncIterable<Uint8Array>, origin: MediaOriginRecord): Promise<boolean> {
    const { clock, entries } = this.#deps;
    if (this.#stopped) throw stopping();
    const store = await this.#deps.store().catch((error: unknown) => {
      throw new MediaRefused("disk", getReason(error), error);
    });
    if (await store.knows(id)) return true;
    try {
      const file = await store.save(id, chunks);
      // A disk that refuses the line is as passing as one that refuses the file.
      await entries.enter(store, id, clock.now(), file, origin).catch((error: unknown) => {
        throw new MediaRefused("disk", getReason(error), error);
      });
      return true;
    } catch (error) {
      if (!(error instanceof MediaRefused)) throw error;
      entries.reportRefusal(origin, error.kind, error.message);
      if (error.kind === "room" || error.kind === "disk") throw error;
      return false;
    }
  }

  #keepBytes(bytes: Buffer, origin: MediaOriginRecord): Promise<string | null> {
    const { clock, entries } = this.#deps;
    if (this.#stopped) return Promise.resolve(this.#refuse(origin, "stopping", "Postern is stopping."));
    if (this.#waitingBytes + bytes.length > MOST_WAITING_BYTES) {
      return Promise.resolve(this.#refuse(origin, "slow", "the disk does not keep up with the results."));
    }
    this.#waitingBytes += bytes.length;
    const at = clock.now();
    return this.#writes.run("bytes", async () => {
      const id = newId("media");
      try {
        const store = await this.#deps.store();
        await entries.enter(store, id, at, await store.save(id, [bytes]), origin);
        return id;
      } catch (error) {
        return this.#refuse(origin, error instanceof MediaRefused ? error.kind : "disk", getReason(error));
      } finally {
        this.#waitingBytes -= bytes.length;
      }
    });
  }

  #refuse(origin: MediaOriginRecord, kind: string, why: string): null {
    this.#deps.entries.reportRefusal(origin, kind, why);
    return null;
  }

  #createPending(id: string, url: string, connection: Connection, origin: MediaOriginRecord) {
    const at = this.#deps.clock.now();
    const target = formatTarget(new URL(connection.baseUrl));
    return { id, at, url, target, expires_at: at + URL_LIFE_MS, origin };
  }
}

/** Some compatible servers send the picture inline in place of a URL. */
function inlineBytes(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

async function* inlineChunks(url: string): AsyncGenerator<Buffer> {
  yield inlineBytes(url);
}
