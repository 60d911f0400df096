import { computeTotal } from "./history-entry.ts";
import type { HistoryEntry } from "./history-entry.ts";

/**
 * Counts each response once, in any order of its copies: the largest copy is used (lines written during the response
 * have less), and a message replayed by a side conversation is the message of its session.
 */
export class HistoryFold {
  readonly #byKey = new Map<string, HistoryEntry>();
  /** Scopes of messages that have copies in several sessions. */
  readonly #copied = new Set<string>();

  add(entries: readonly HistoryEntry[]): void {
    for (const entry of entries) {
      const known = this.#byKey.get(entry.key);
      if (known === undefined) {
        this.#byKey.set(entry.key, entry);
        continue;
      }
      if (known.scope !== entry.scope)
        for (const { sidechain, scope } of [known, entry]) if (!sidechain) this.#copied.add(scope);
      this.#byKey.set(entry.key, chooseCopy(known, entry));
    }
  }

  /** Whether the entry would change nothing. */
  has(entry: HistoryEntry): boolean {
    const known = this.#byKey.get(entry.key);
    return known !== undefined && chooseCopy(known, entry) === known;
  }

  /** Yields the counted entries, in no order. */
  *entries(): Generator<HistoryEntry> {
    const replays = new Map<string, HistoryEntry>();
    for (const entry of this.#byKey.values()) {
      if (entry.sidechain && entry.scope !== "")
        replays.set(entry.scope, chooseCopy(replays.get(entry.scope) ?? entry, entry));
    }
    for (const scope of this.#copied) replays.delete(scope);
    for (const { sidechain, scope } of this.#byKey.values()) if (!sidechain) replays.delete(scope);
    for (const entry of this.#byKey.values()) {
      const { scope, sidechain, key } = entry;
      if (!sidechain || scope === "" || replays.get(scope)?.key === key) yield entry;
    }
  }
}

/** Chooses between two copies of a response. If one of them went through Postern, the response did. */
export function chooseCopy(one: HistoryEntry, other: HistoryEntry): HistoryEntry {
  const better = compare(one, other) <= 0 ? one : other;
  const postern = one.postern || other.postern;
  return better.postern === postern ? better : { ...better, postern };
}

/** Negative if the first is preferred. The order is total, so that the order of arrival does not matter. */
function compare(one: HistoryEntry, other: HistoryEntry): number {
  return (
    Number(one.sidechain) - Number(other.sidechain) ||
    computeTotal(other.tokens) - computeTotal(one.tokens) ||
    Number(one.served === "") - Number(other.served === "") ||
    one.at - other.at ||
    order(one.session, other.session) ||
    order(one.project, other.project) ||
    order(one.model, other.model) ||
    order(one.served, other.served) ||
    order(one.key, other.key) ||
    order(one.agent, other.agent) ||
    order(one.tokens.join(), other.tokens.join())
  );
}

const order = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
