import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Notices } from "../notices.ts";

/** The same trouble is told the owner once in this time; the log has every case. */
const QUIET_MS = 60 * 60 * 1_000;

/** Says what could not be saved: each case in the log, each kind of trouble in a notice. */
export class MediaTroubles {
  readonly #deps: { clock: Clock; log: Log; notices: Pick<Notices, "add"> };
  readonly #told = new Map<string, number>();

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
    const last = this.#told.get(kind);
    if (last !== undefined && now - last < QUIET_MS) return;
    this.#told.set(kind, now);
    notices.add("warning", message);
  }

  /** It works again: when it fails the next time, that is news. */
  clear(...kinds: readonly string[]): void {
    for (const kind of kinds) this.#told.delete(kind);
  }
}
