import type { MediaEntry } from "../../contract/media.ts";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { SavedFile } from "../../store/media-incoming.ts";
import { MediaRefused } from "../../store/media-incoming.ts";
import type { PendingMedia } from "../../store/media-lines.ts";
import type { MediaStore } from "../../store/media-store.ts";
import { StoreWriteError } from "../../store/store.ts";
import { targetOf } from "../../upstream/targets.ts";
import type { Connection } from "../connections/connection.ts";
import type { FetchMedia, FetchOutcome } from "./fetch-media.ts";
import type { KeepMedia } from "./keep-media.ts";
import { Lanes } from "./lanes.ts";
import type { Later } from "../../lib/later.ts";
import { originRecord } from "./media-origin.ts";
import type { MediaTroubles } from "./media-troubles.ts";

/** Files that are written, and files that are fetched, at the same time. */
const LANES = 4;
/** Addresses that are noted at the same time; they share a write. */
const NOTES = 64;
/** Results that wait for the disk, in memory: more than this means that the disk does not keep up. */
const MOST_WAITING_BYTES = 256 * 1024 * 1024;
/** DashScope deletes results after 24 hours (upstreams reference 3.5); others are taken to do the same. */
const URL_LIFE_MS = 24 * 60 * 60 * 1_000;
/** Pauses before each further try, the last one again and again until the address has expired. */
const RETRY_PAUSES_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000] as const;
/** No vendor's address is as long, and the download door takes none that is. */
const LONGEST_URL = 16_384;
/** An address that answers wrongly so often will not do better. */
const DOUBTFUL_TRIES = 4;

export interface MediaSaverDeps {
  readonly clock: Clock;
  readonly later: Later;
  /** Opens the library, or says why it cannot be opened. */
  readonly store: () => Promise<MediaStore>;
  readonly fetch: FetchMedia;
  readonly troubles: MediaTroubles;
}

/**
 * Saves results, a few at a time. Bytes are saved or refused at once. An address is noted in the library's log before
 * it is fetched, so that neither an absent network nor a restart loses a result that the vendor still has.
 */
export class MediaSaver {
  readonly #deps: MediaSaverDeps;
  readonly #writes = new Lanes(LANES);
  readonly #notes = new Lanes(NOTES);
  readonly #downloads = new Lanes(LANES);
  readonly #retries = new Set<() => void>();
  #waitingBytes = 0;
  #stopped = false;

  constructor(deps: MediaSaverDeps) {
    this.#deps = deps;
  }

  readonly keep: KeepMedia = (source, origin) => {
    try {
      const record = originRecord(origin);
      if (source.kind === "bytes") this.#keepBytes(source.bytes, record);
      else if (source.url.startsWith("data:")) this.#keepBytes(inlineBytes(source.url), record);
      else this.#keepUrl(source.url, source.connection, record);
    } catch (error) {
      this.#tell({ model: origin.model, request_id: origin.requestId }, "bug", String(error));
    }
  };

  /** Goes on with what an earlier run was fetching. */
  resume(pending: readonly PendingMedia[]): void {
    for (const one of pending) this.#download(one, 0);
  }

  /** Takes nothing more and ends downloads, which stay pending. Resolves when everything else is saved. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const cancel of this.#retries) cancel();
    this.#retries.clear();
    this.#deps.fetch.stop();
    await Promise.all([this.#writes.idle(), this.#notes.idle()]);
    await this.#downloads.idle();
  }

  #keepBytes(bytes: Buffer, origin: MediaEntry["origin"]): void {
    if (this.#stopped) return this.#tell(origin, "stopping", "Postern is stopping.");
    if (this.#waitingBytes + bytes.length > MOST_WAITING_BYTES) {
      return this.#tell(origin, "slow", "the disk does not keep up with the results.");
    }
    this.#waitingBytes += bytes.length;
    const at = this.#deps.clock.now();
    this.#writes.run(async () => {
      try {
        const store = await this.#deps.store();
        await this.#enter(store, newId("media"), at, await store.save([bytes]), origin);
      } catch (error) {
        this.#tell(origin, error instanceof MediaRefused ? error.kind : "disk", reasonOf(error));
      } finally {
        this.#waitingBytes -= bytes.length;
      }
    });
  }

  #keepUrl(url: string, connection: Connection, origin: MediaEntry["origin"]): void {
    if (this.#stopped) return this.#tell(origin, "stopping", "Postern is stopping.");
    if (url.length > LONGEST_URL) return this.#tell(origin, "address", "its address is too long.");
    const at = this.#deps.clock.now();
    const pending: PendingMedia = {
      id: newId("media"),
      at,
      url,
      target: targetOf(new URL(connection.baseUrl)),
      expires_at: at + URL_LIFE_MS,
      origin,
    };
    this.#notes.run(async () => {
      try {
        await (await this.#deps.store()).record({ op: "pending", pending });
      } catch {
        // Without its line it is fetched all the same; only a restart would lose it.
      }
      this.#download(pending, 0);
    });
  }

  #download(pending: PendingMedia, tries: number): void {
    this.#downloads.run(() => this.#try(pending, tries));
  }

  async #try(pending: PendingMedia, tries: number): Promise<void> {
    let outcome: FetchOutcome;
    try {
      const store = await this.#deps.store();
      outcome = await this.#deps.fetch.fetch(store, pending);
      if (outcome.how === "saved") {
        await this.#enter(store, pending.id, this.#deps.clock.now(), outcome.file, pending.origin);
        return;
      }
    } catch (error) {
      outcome = { how: "later", kind: "disk", why: reasonOf(error) };
    }
    if (outcome.how === "stopped" || this.#stopped) return;
    const pause = RETRY_PAUSES_MS[Math.min(tries, RETRY_PAUSES_MS.length - 1)] as number;
    const hopeless = outcome.how === "never" || (outcome.how === "doubtful" && tries + 1 >= DOUBTFUL_TRIES);
    if (hopeless || this.#deps.clock.now() + pause >= pending.expires_at) return this.#giveUp(pending, outcome);
    if (outcome.kind === "room" || outcome.kind === "disk") this.#tell(pending.origin, outcome.kind, outcome.why);
    const cancel = this.#deps.later(pause, () => {
      this.#retries.delete(cancel);
      this.#download(pending, tries + 1);
    });
    this.#retries.add(cancel);
  }

  async #giveUp(pending: PendingMedia, { kind, why }: { kind: string; why: string }): Promise<void> {
    this.#tell(pending.origin, kind, why);
    // When the disk refuses this, the next start tries once more and gives up again.
    await this.#deps
      .store()
      .then((store) => store.record({ op: "drop", id: pending.id }))
      .catch(() => undefined);
  }

  async #enter(
    store: MediaStore,
    id: string,
    at: number,
    { type, bytes, sha256, measure }: SavedFile,
    origin: MediaEntry["origin"],
  ): Promise<void> {
    const { width, height, durationMs } = measure;
    const { kind, extension } = type;
    const entry = { id, at, kind, type: type.type, bytes, sha256, width, height, duration_ms: durationMs, origin };
    await store.record({ op: "add", entry, extension });
    this.#deps.troubles.clear("room", "disk", "slow");
  }

  #tell(origin: Pick<MediaEntry["origin"], "model" | "request_id">, kind: string, why: string): void {
    this.#deps.troubles.tell(kind, `A result of ${origin.model} could not be saved to the library: ${why}`, {
      request_id: origin.request_id,
    });
  }
}

/** Some compatible servers write the picture itself where others write its address. */
function inlineBytes(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

function reasonOf(error: unknown): string {
  if (error instanceof MediaRefused || error instanceof StoreWriteError) return error.message;
  return `${error instanceof Error ? error.message : String(error)}.`;
}
