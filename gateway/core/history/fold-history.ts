import type { HistoryAgent } from "../../contract/history.ts";
import { totalOf } from "./history-entry.ts";
import type { HistoryEntry } from "./history-entry.ts";

/** An entry with the agent whose log it is from. */
export interface AgentEntry extends HistoryEntry {
  readonly agent: HistoryAgent;
}

/**
 * Counts each response once, whatever order its copies come in: of copies the largest is the response (lines that are
 * written while it comes have less), and what a side conversation replays of a message of its session is that message.
 */
export class HistoryFold {
  readonly #byKey = new Map<string, AgentEntry>();
  /** Messages of sessions themselves, in every session that has a copy. */
  readonly #heads = new Set<string>();

  add(agent: HistoryAgent, entries: readonly HistoryEntry[]): void {
    for (const entry of entries) {
      if (!entry.sidechain && entry.scope !== "") this.#heads.add(entry.scope);
      const known = this.#byKey.get(entry.key);
      const next = { ...entry, agent };
      this.#byKey.set(entry.key, known === undefined ? next : oneOf(known, next));
    }
  }

  /** What is counted, in no order. */
  entries(): AgentEntry[] {
    const replays = new Map<string, AgentEntry>();
    for (const entry of this.#byKey.values()) {
      if (entry.sidechain && entry.scope !== "")
        replays.set(entry.scope, oneOf(replays.get(entry.scope) ?? entry, entry));
    }
    const counted: AgentEntry[] = [];
    for (const entry of this.#byKey.values()) {
      const { scope, sidechain } = entry;
      if (!sidechain || scope === "") counted.push(entry);
      else if (!this.#heads.has(scope) && replays.get(scope)?.key === entry.key) counted.push(entry);
    }
    return counted;
  }
}

/** Which of two copies stands for both. That a request went through Postern is known once one of them says so. */
function oneOf(one: AgentEntry, other: AgentEntry): AgentEntry {
  const better = compare(one, other) <= 0 ? one : other;
  const postern = one.postern || other.postern;
  return better.postern === postern ? better : { ...better, postern };
}

/** Below 0 where the first stands for both. Any two entries that differ have an order, so that theirs does not matter. */
function compare(one: AgentEntry, other: AgentEntry): number {
  return (
    Number(one.sidechain) - Number(other.sidechain) ||
    totalOf(other.tokens) - totalOf(one.tokens) ||
    Number(one.served === "") - Number(other.served === "") ||
    one.at - other.at ||
    order(one.session, other.session) ||
    order(one.project, other.project) ||
    order(one.model, other.model) ||
    order(one.served, other.served) ||
    order(one.key, other.key) ||
    order(one.tokens.join(), other.tokens.join())
  );
}

const order = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
