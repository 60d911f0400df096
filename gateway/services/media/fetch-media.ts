import type { Download, Downloader } from "../../upstream/download.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { MAX_MEDIA_BYTES, MediaRefused } from "../../store/media/media-incoming.ts";
import type { SavedFile } from "../../store/media/media-incoming.ts";
import type { PendingMedia } from "../../store/media/media-lines.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import { bodyChunks } from "../../upstream/body-chunks.ts";

const LIMITS = {
  types: ["image/", "audio/", "video/"],
  maxBytes: MAX_MEDIA_BYTES,
  totalMs: 30 * 60_000,
  idleMs: 60_000,
};

/** How one try to fetch a result ended. */
export type FetchOutcome =
  | { readonly how: "saved"; readonly file: SavedFile }
  /** Another try makes sense: the network, the provider's storage or the disk may be better later. */
  | { readonly how: "later"; readonly kind: string; readonly why: string }
  /** The address itself answered wrongly: a few tries, no more. */
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

  /** Fetches a result from its provider's address into the library's files. Never rejects. */
  async fetch(store: MediaStore, pending: PendingMedia): Promise<FetchOutcome> {
    if (this.#stopped) return { how: "stopped" };
    const attempt = this.#downloader.open(pending.url, pending.target, LIMITS);
    const abort = (): void => attempt.abort();
    this.#running.add(abort);
    let download: Download | null = null;
    try {
      download = await attempt.response;
      return { how: "saved", file: await store.save(bodyChunks(download)) };
    } catch (error) {
      download?.abort();
      return this.#stopped ? { how: "stopped" } : outcomeOf(error);
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

function outcomeOf(error: unknown): FetchOutcome {
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
      // A refusal of the network has the network's error as its cause; one of our own rules has none.
      return { how: error.cause === undefined ? "never" : "later", kind: "address", why };
    default:
      return { how: "later", kind: "network", why };
  }
}
