import type { MediaOriginRecord } from "../../contract/media.ts";
import { MediaRefused } from "../../store/media/media-incoming.ts";
import type { IncomingFile } from "../../store/media/media-files.ts";
import type { MediaStore } from "../../store/media/media-store.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Notices } from "../notices.ts";
import { getMessage } from "../../lib/message-of.ts";
import { StoreWriteError } from "../../store/store.ts";

/** Min time between two notices of the same kind; the log has every case. */
const QUIET_MS = 60 * 60 * 1_000;

/** Says what could not be saved: each case in the log, each kind of trouble in a notice. */
export class MediaTroubles {
  readonly #deps: { clock: Clock; log: Log; notices: Pick<Notices, "add"> };
  readonly #reportedAt = new Map<string, number>();

  constructor(deps: { clock: Clock; log: Log; notices: Pick<Notices, "add"> }) {
    this.#deps = deps;
  }

  /**
   * @param kind what happened, in one word
   * @param message a sentence for the owner
   */
  tell(kind: string, message: string, fields: Readonly<Record<string, string>> = {}): void {
    const { clock, log, notices } = this.#deps;
    log.warn("media.not_saved", { kind, message, ...fields });
    const now = clock.monotonic();
    const last = this.#reportedAt.get(kind);
    if (last !== undefined && now - last < QUIET_MS) return;
    this.#reportedAt.set(kind, now);
    notices.add("warning", message);
  }

  /** It works again: when it fails the next time, that is news. */
  clear(...kinds: readonly string[]): void {
    for (const kind of kinds) this.#reportedAt.delete(kind);
  }
}

export interface EnterMediaDeps {
  readonly troubles: MediaTroubles;
  /** The library's list is another one. */
  readonly changed: () => void;
}

/** Origin named in the notice of a result that is not saved. */
export type Blamed = Pick<MediaOriginRecord, "model" | "request_id">;

/** Adds saved files to the library's list, and reports failures. */
export class EnterMedia {
  readonly #deps: EnterMediaDeps;

  constructor(deps: EnterMediaDeps) {
    this.#deps = deps;
  }

  /** @param at Unix ms @throws StoreWriteError */
  async enter(store: MediaStore, id: string, at: number, file: IncomingFile, origin: MediaOriginRecord): Promise<void> {
    const { bytes, sha256 } = file;
    const { width, height, durationMs } = file.measure;
    const { kind, type } = file.type;
    const entry = { id, at, kind, type, bytes, sha256, width, height, duration_ms: durationMs, origin };
    await store.enter(entry, file);
    this.#deps.troubles.clear("room", "disk", "slow");
    this.#deps.changed();
  }

  /** @param kind in one word @param why goes on after "could not be saved to the library: " */
  reportRefusal(origin: Blamed, kind: string, why: string): void {
    this.#deps.troubles.tell(kind, `A result of ${origin.model} could not be saved to the library: ${why}`, {
      request_id: origin.request_id,
    });
  }
}

/** Why something was not saved, to go on after "could not be saved: ". */
export function getReason(error: unknown): string {
  if (error instanceof MediaRefused || error instanceof StoreWriteError) return error.message;
  return `${getMessage(error)}.`;
}
