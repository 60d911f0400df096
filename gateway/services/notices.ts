import type { Notice } from "../contract/notice.ts";
import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Store } from "../store/store.ts";
import type { Events } from "./events.ts";

/** Max notices of this start: clients' webhook receivers cause some, more would not be read, and the log has them all. */
const MOST_PASSING = 200;

/** Notices for the owner: on the pages until dismissed, and one line in the log. */
export class Notices {
  readonly #deps: { store: Store; clock: Clock; log: Log; events: Events };
  /**
   * Notices of this start only (environment entries, keychain); they are raised again at the next start if still true.
   */
  readonly #passing = new Map<string, Notice>();

  constructor(deps: { store: Store; clock: Clock; log: Log; events: Events }) {
    this.#deps = deps;
  }

  list(): readonly Notice[] {
    return [...this.#deps.store.document.notices.values(), ...this.#passing.values()].toSorted((a, b) => b.at - a.at);
  }

  add(level: Notice["level"], message: string): void {
    this.offer(level, message);
  }

  /** The same, for a condition that may end. @returns its id, for `takeBack` */
  offer(level: Notice["level"], message: string): string {
    const notice = { id: newId("notice"), level, message, at: this.#deps.clock.now() };
    this.#passing.set(notice.id, notice);
    const [oldest] = this.#passing.keys();
    if (this.#passing.size > MOST_PASSING && oldest !== undefined) this.#passing.delete(oldest);
    this.#deps.log.warn("notice", { message });
    this.#deps.events.emit({ type: "notices.changed" });
    return notice.id;
  }

  /** Removes a notice of `offer` that is no longer true; the owner may have dismissed it. */
  takeBack(id: string): void {
    if (this.#passing.delete(id)) this.#deps.events.emit({ type: "notices.changed" });
  }

  async dismiss(id: string): Promise<void> {
    if (!this.#passing.delete(id)) await this.#deps.store.change("notices", id, () => null);
    this.#deps.events.emit({ type: "notices.changed" });
  }
}
