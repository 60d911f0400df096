import { HistoryFold } from "../../core/history/fold-history.ts";
import type { HistoryBatch } from "../../core/history/history-entry.ts";
import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import type { HistoryLog } from "../../store/history/history-log.ts";

/** How far a log was read. */
export interface LogPosition {
  readonly to: number;
  readonly tail: string;
  readonly state: unknown;
}

/** The stored history, as needed by the next import. */
export interface StoredHistory {
  readonly fold: HistoryFold;
  /** Keyed by the paths of logs. */
  readonly positions: ReadonlyMap<string, LogPosition>;
}

/** Reads the stored history, for an import to continue. */
export async function readStoredHistory(log: Pick<HistoryLog, "read">, clock: Clock): Promise<StoredHistory> {
  const fold = new HistoryFold();
  const positions = new Map<string, LogPosition>();
  await log.read((batch) => {
    fold.add(batch.entries);
    follow(positions, batch);
  }, new Slices(clock));
  return { fold, positions };
}

/**
 * A log counts as read up to the first gap between its pieces: what a damaged line lost is read again, without double
 * counting. A piece from the start means that another log is in the same place.
 */
function follow(positions: Map<string, LogPosition>, { file, from, to, tail, state }: HistoryBatch): void {
  if (to === from) return;
  if (from === 0 || from === (positions.get(file)?.to ?? 0)) positions.set(file, { to, tail, state });
}
