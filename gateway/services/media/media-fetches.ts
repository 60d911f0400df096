import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import { Limiter } from "../../lib/limiter.ts";
import type { PendingMedia } from "../../store/media/media-notes.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import { Scheduler } from "../scheduler.ts";
import { getReason } from "./enter-media.ts";
import type { EnterMedia } from "./enter-media.ts";
import type { Download, Downloader } from "../../upstream/download.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { MAX_MEDIA_BYTES, MediaRefused } from "../../store/media/media-incoming.ts";
import type { IncomingFile } from "../../store/media/media-files.ts";
import { bodyChunks } from "../../upstream/body-chunks.ts";

const LIMITS = {
  types: ["image/", "audio/", "video/"],
  maxBytes: MAX_MEDIA_BYTES,
  totalMs: 30 * 60_000,
  idleMs: 60_000,
};

/** How one try to fetch a result ended. */
type FetchOutcome =
  | { readonly how: "saved"; readonly file: IncomingFile }
  /** Another try makes sense: the network, the provider's storage or the disk may be better later. */
  | { readonly how: "later"; readonly kind: string; readonly why: string }
  /** Max tries after a wrong response of the address itself. */
  | { readonly how: "doubtful"; readonly kind: string; readonly why: string }
  /** No try will be better. */
  | { readonly how: "never"; readonly kind: string; readonly why: string }
  /** Postern is stopping; the result stays pending. */
  | { readonly how: "stopped" };

/** Downloads being made, so that a stop can end them. */
export class FetchMedia {
  readonly #downloader: Downloader;
  readonly #running = new Set<() => void>();
  #stopped = false;

  constructor(downloader: Downloader) {
    this.#downloader = downloader;
  }

  /** Downloads a result from its provider into the library. Never rejects. */
  async fetch(store: MediaStore, pending: PendingMedia): Promise<FetchOutcome> {
    if (this.#stopped) return { how: "stopped" };
    const attempt = this.#downloader.open(pending.url, pending.target, LIMITS);
    const abort = (): void => attempt.abort();
    this.#running.add(abort);
    let download: Download | null = null;
    try {
      download = await attempt.response;
      return { how: "saved", file: await store.save(pending.id, bodyChunks(download)) };
    } catch (error) {
      download?.abort();
      return this.#stopped ? { how: "stopped" } : getOutcome(error);
    } finally {
      this.#running.delete(abort);
    }
  }

  /** Ends every download that runs. */
  stop(): void {
    this.#stopped = true;
    for (const abort of this.#running) abort();
  }
}

function getOutcome(error: unknown): FetchOutcome {
  if (error instanceof MediaRefused) {
    const passing = error.kind === "room" || error.kind === "disk";
    return { how: passing ? "later" : "never", kind: error.kind, why: error.message };
  }
  if (!(error instanceof UpstreamFailure)) return { how: "never", kind: "bug", why: String(error) };
  const why = `${error.message}.`;
  switch (error.kind) {
    case "too_large":
      return { how: "never", kind: "size", why };
    case "malformed":
      return { how: "doubtful", kind: "answer", why };
    case "refused":
      // A network refusal has the network's error as its cause; a refusal by our own rules has none.
      return { how: error.cause === undefined ? "never" : "later", kind: "address", why };
    default:
      return { how: "later", kind: "network", why };
  }
}

/** Max concurrent fetches per provider: slow storage of one delays no other. */
const AT_ONCE = 4;
/** Addresses that are noted at the same time; they share a write. */
const NOTES = 64;
/** Backoff in ms before each retry; the last one repeats until the address expires, then it starts over. */
const RETRY_PAUSES_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000] as const;
/** Wrong responses after which an address is given up. */
const DOUBTFUL_TRIES = 4;
/** Tries of an address that must have expired: after a day of sleep the network may need its time. */
const LATE_TRIES = 5;

export interface MediaFetchesDeps {
  readonly clock: Clock;
  readonly later: Later;
  /** Opens the library, or throws the reason why it cannot be opened. */
  readonly store: () => Promise<MediaStore>;
  readonly fetch: FetchMedia;
  readonly entries: EnterMedia;
}

interface Fetching {
  /** Another one when its provider has given another address. */
  pending: PendingMedia;
  tries: number;
  /** Tries since the address expired. */
  late: number;
  /** Whether it is in the library, when that is decided. */
  readonly decided: PromiseWithResolvers<boolean>;
}

/**
 * Results at providers' URLs that are being downloaded into the library. They are logged before the download, so that
 * neither a network failure nor a restart loses a result that the provider still has.
 */
export class MediaFetches {
  readonly #deps: MediaFetchesDeps;
  readonly #notes = new Limiter({ each: NOTES });
  /** Limits downloads by the provider's origin. */
  readonly #downloads = new Limiter({ each: AT_ONCE });
  readonly #fetching = new Map<string, Fetching>();
  /** When each is tried again; a machine that slept does not sleep on. */
  readonly #retries: Scheduler<string>;
  #stopped = false;

  constructor(deps: MediaFetchesDeps) {
    this.#deps = deps;
    const { clock, later } = deps;
    this.#retries = new Scheduler({ clock, later, onDue: (id) => this.#download(id) });
  }

  /**
   * Downloads it; a running download of this id is joined and continues at the newer URL.
   * @returns whether it was saved to the library: false if it was given up
   * @throws GatewayError shutting_down if Postern stops first; the next start continues
   */
  add(pending: PendingMedia): Promise<boolean> {
    if (this.#stopped) return Promise.reject(stopping());
    const known = this.#fetching.get(pending.id);
    if (known !== undefined) {
      if (known.pending.url !== pending.url) this.#readdress(known, pending);
      return known.decided.promise;
    }
    const { decided } = this.#enter(pending);
    void this.#notes.run("notes", async () => {
      try {
        const store = await this.#deps.store();
        if (await store.knows(pending.id)) return this.#decide(pending.id, true);
        await store.addPending(pending);
      } catch {
        // Without its line it is fetched all the same; only a restart would lose it.
      }
      this.#download(pending.id);
    });
    return decided.promise;
  }

  /** Goes on with what an earlier run was fetching. */
  resume(pending: readonly PendingMedia[]): void {
    for (const one of pending) {
      if (this.#fetching.has(one.id)) continue;
      this.#enter(one);
      this.#download(one.id);
    }
  }

  /** Called after the machine slept: due downloads are retried now. */
  check(): void {
    this.#retries.check();
  }

  /** Stops downloads, which stay pending. Resolves when nothing is being written. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#retries.stop();
    this.#deps.fetch.stop();
    await this.#notes.idle();
    await this.#downloads.idle();
    for (const { decided } of this.#fetching.values()) decided.reject(stopping());
    this.#fetching.clear();
  }

  #readdress(fetching: Fetching, pending: PendingMedia): void {
    fetching.pending = pending;
    fetching.tries = 0;
    fetching.late = 0;
    // If the disk refuses this, the next start uses the earlier address, and receives this one again.
    void this.#notes.run("notes", () =>
      this.#deps
        .store()
        .then((store) => store.addPending(pending))
        .catch(() => undefined),
    );
    if (!this.#retries.has(pending.id)) return;
    this.#retries.delete(pending.id);
    this.#download(pending.id);
  }

  #enter(pending: PendingMedia): Fetching {
    const fetching = { pending, tries: 0, late: 0, decided: Promise.withResolvers<boolean>() };
    // Most results have no waiting caller.
    fetching.decided.promise.catch(() => undefined);
    this.#fetching.set(pending.id, fetching);
    return fetching;
  }

  #download(id: string): void {
    const fetching = this.#fetching.get(id);
    if (fetching === undefined || this.#stopped) return;
    void this.#downloads.run(fetching.pending.target, () => this.#try(fetching));
  }

  async #try(fetching: Fetching): Promise<void> {
    const { pending } = fetching;
    const { clock, entries, fetch } = this.#deps;
    let outcome: FetchOutcome;
    try {
      const store = await this.#deps.store();
      if (await store.knows(pending.id)) return this.#decide(pending.id, true);
      outcome = await fetch.fetch(store, pending);
      if (outcome.how === "saved") {
        await entries.enter(store, pending.id, clock.now(), outcome.file, pending.origin);
        return this.#decide(pending.id, true);
      }
    } catch (error) {
      outcome = { how: "later", kind: "disk", why: getReason(error) };
    }
    if (outcome.how === "stopped" || this.#stopped) return;
    if (fetching.pending.url !== pending.url) return this.#download(pending.id);
    fetching.tries += 1;
    if (clock.now() >= pending.expires_at) fetching.late += 1;
    const tries = fetching.late > 0 ? fetching.late : fetching.tries;
    const pause = RETRY_PAUSES_MS[Math.min(tries, RETRY_PAUSES_MS.length) - 1] as number;
    const hopeless = outcome.how === "never" || (outcome.how === "doubtful" && fetching.tries >= DOUBTFUL_TRIES);
    if (hopeless || fetching.late >= LATE_TRIES) return this.#giveUp(pending, outcome);
    if (outcome.kind === "room" || outcome.kind === "disk")
      entries.reportRefusal(pending.origin, outcome.kind, outcome.why);
    this.#retries.set(pending.id, clock.now() + pause);
  }

  async #giveUp(pending: PendingMedia, { kind, why }: { kind: string; why: string }): Promise<void> {
    this.#deps.entries.reportRefusal(pending.origin, kind, why);
    // If the disk refuses this, the next start tries once and gives up again.
    await this.#deps
      .store()
      .then((store) => store.dropPending(pending.id))
      .catch(() => undefined);
    this.#decide(pending.id, false);
  }

  #decide(id: string, saved: boolean): void {
    this.#fetching.get(id)?.decided.resolve(saved);
    this.#fetching.delete(id);
  }
}

export const stopping = (): GatewayError =>
  new GatewayError("shutting_down", "Postern is stopping; what is being fetched is fetched by the next start.");
