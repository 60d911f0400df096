import type { MediaOriginRecord } from "../../contract/media.ts";
import type { SavedFile } from "../../store/media/media-incoming.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import type { MediaTroubles } from "./media-troubles.ts";

export interface EnterMediaDeps {
  readonly troubles: MediaTroubles;
  /** The library's list is another one. */
  readonly changed: () => void;
}

/** What is told of a result that is not saved. */
export type Blamed = Pick<MediaOriginRecord, "model" | "request_id">;

/** Puts saved files on the library's list, and says what could not be saved. */
export class EnterMedia {
  readonly #deps: EnterMediaDeps;

  constructor(deps: EnterMediaDeps) {
    this.#deps = deps;
  }

  /** @param at Unix ms @throws StoreWriteError */
  async enter(
    store: MediaStore,
    id: string,
    at: number,
    { type, bytes, sha256, measure }: SavedFile,
    origin: MediaOriginRecord,
  ): Promise<void> {
    const { width, height, durationMs } = measure;
    const { kind, extension } = type;
    const entry = { id, at, kind, type: type.type, bytes, sha256, width, height, duration_ms: durationMs, origin };
    await store.enter(entry, extension);
    this.#deps.troubles.clear("room", "disk", "slow");
    this.#deps.changed();
  }

  /** @param kind in one word @param why goes on after "could not be saved to the library: " */
  refused(origin: Blamed, kind: string, why: string): void {
    this.#deps.troubles.tell(kind, `A result of ${origin.model} could not be saved to the library: ${why}`, {
      request_id: origin.request_id,
    });
  }
}
