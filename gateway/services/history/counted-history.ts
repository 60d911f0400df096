import type { HistoryView } from "../../contract/history.ts";
import { HistoryFold } from "../../core/history/fold-history.ts";
import type { HistoryBatch } from "../../core/history/history-entry.ts";
import { HistoryTable } from "../../core/history/history-table.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import type { HistoryLog } from "../../store/history/history-log.ts";

/** How far a log was read. */
export interface LogPosition {
  readonly to: number;
  readonly tail: string;
  readonly state: unknown;
}

/** Everything that is kept of the history, as it is read for the next import. */
export interface KeptHistory {
  readonly fold: HistoryFold;
  /** Keyed by the paths of logs. */
  readonly positions: ReadonlyMap<string, LogPosition>;
  readonly damaged: number;
}

/** The counted entries, and the state of each agent's history. */
export interface Counted {
  readonly table: HistoryTable;
  readonly agents: HistoryView["agents"];
  readonly damaged: number;
}

type CountedLog = Pick<HistoryLog, "read" | "mark" | "table" | "keepTable">;

/** Entries whose table is worth a file. */
const WORTH_KEEPING = 5_000;

/** Counts the history from its stored form on the first request, and keeps the result in memory until it changes. */
export class CountedHistory {
  readonly #log: CountedLog;
  readonly #clock: Clock;
  #table: Promise<Counted> | null = null;

  constructor(log: CountedLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  table(): Promise<Counted> {
    this.#table ??= this.#make().catch((error: unknown) => {
      this.#table = null;
      throw error;
    });
    return this.#table;
  }

  /** Something was imported, or all of it was removed. */
  changed(): void {
    this.#table = null;
  }

  async kept(): Promise<KeptHistory> {
    const fold = new HistoryFold();
    const positions = new Map<string, LogPosition>();
    const damaged = await this.#log.read((batch) => {
      fold.add(batch.entries);
      follow(positions, batch);
    }, new Slices(this.#clock));
    return { fold, positions, damaged };
  }

  async #make(): Promise<Counted> {
    const before = await this.#log.table();
    if (before !== null) return { ...before, agents: findAgents(before.table) };
    const mark = await this.#log.mark();
    const { fold, damaged } = await this.kept();
    const table = await HistoryTable.of([...fold.entries()], new Slices(this.#clock));
    // The disk may refuse: the next start makes it again.
    if (mark !== null && table.length >= WORTH_KEEPING)
      void this.#log.keepTable({ table, damaged, mark }).catch(() => undefined);
    return { table, agents: findAgents(table), damaged };
  }
}

function findAgents(table: HistoryTable): HistoryView["agents"] {
  const agents = new Map<string, HistoryView["agents"][number] & { readonly ids: Set<number> }>();
  for (let row = 0; row < table.length; row += 1) {
    const agent = table.agent(row);
    const at = table.at[row] as number;
    const known = agents.get(agent) ?? { agent, sessions: 0, requests: 0, from: at, to: at, ids: new Set() };
    known.ids.add(table.session[row] as number);
    known.requests += 1;
    known.to = at;
    agents.set(agent, known);
  }
  return [...agents.values()].map(({ ids, ...agent }) => ({ ...agent, sessions: ids.size }));
}

/**
 * A log is read up to where pieces of it follow each other without a gap: what a damaged line has lost is read again,
 * which counts nothing twice. A piece from the beginning is another log in the same place.
 */
function follow(positions: Map<string, LogPosition>, { file, from, to, tail, state }: HistoryBatch): void {
  if (to === from) return;
  if (from === 0 || from === (positions.get(file)?.to ?? 0)) positions.set(file, { to, tail, state });
}
