import { historyAgentSchema } from "../../contract/history.ts";
import type { HistoryAgent } from "../../contract/history.ts";
import type { HistoryBatch, HistoryEntry, HistoryTokens } from "../../core/history/history-entry.ts";
import { HISTORY_UNITS } from "../../core/history/history-entry.ts";
import { isRecord } from "../../lib/records.ts";

/** The log of imported usage, in its folder. */
export const IMPORTED_LOG = "imported.ndjson";

/** Figures of an entry before its tokens. */
const FIELDS = 8;
const [SIDECHAIN, POSTERN] = [1, 2];

type Row = readonly (string | number)[];

/** A line as it lies on the disk: names once, entries as rows of their numbers. */
interface StoredBatch {
  readonly agent: HistoryAgent;
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly tail: string;
  readonly state: unknown;
  readonly names: readonly string[];
  readonly rows: readonly Row[];
}

/** Makes the line of a batch. */
export function getStored({ entries, ...batch }: HistoryBatch): StoredBatch {
  const names = new Map<string, number>();
  const number = (name: string): number => {
    const known = names.get(name);
    if (known !== undefined) return known;
    names.set(name, names.size);
    return names.size - 1;
  };
  const rows = entries.map((entry) => [
    entry.key,
    entry.scope,
    entry.at,
    (entry.sidechain ? SIDECHAIN : 0) + (entry.postern ? POSTERN : 0),
    number(entry.model),
    number(entry.session),
    number(entry.project),
    number(entry.served),
    ...entry.tokens,
  ]);
  return { ...batch, names: [...names.keys()], rows };
}

/** @returns null if it is no valid batch */
export function readBatch(value: unknown): HistoryBatch | null {
  if (!isRecord(value)) return null;
  const { file, from, to, tail, state, names, rows } = value;
  const agent = historyAgentSchema.safeParse(value["agent"]);
  if (!agent.success || typeof file !== "string" || typeof tail !== "string") return null;
  if (!isOffset(from) || !isOffset(to) || !Array.isArray(names) || !Array.isArray(rows)) return null;
  const entries: HistoryEntry[] = [];
  for (const row of rows) {
    const entry = Array.isArray(row) ? getEntry(agent.data, row as Row, names as string[]) : null;
    if (entry === null) return null;
    entries.push(entry);
  }
  return { agent: agent.data, file, from, to, tail, state, entries };
}

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function getEntry(agent: HistoryAgent, row: Row, names: readonly string[]): HistoryEntry | null {
  const [key, scope, at, flags, model, session, project, served] = row;
  if (row.length !== FIELDS + HISTORY_UNITS.length || typeof key !== "string" || typeof scope !== "string") return null;
  const tokens = row.slice(FIELDS) as unknown as HistoryTokens;
  if (![model, session, project, served].every((place) => typeof names[place as number] === "string")) return null;
  if (!isOffset(at) || !tokens.every(isOffset)) return null;
  return {
    agent,
    key,
    scope,
    at,
    model: names[model as number] as string,
    session: names[session as number] as string,
    project: names[project as number] as string,
    served: names[served as number] as string,
    sidechain: ((flags as number) & SIDECHAIN) !== 0,
    postern: ((flags as number) & POSTERN) !== 0,
    tokens,
  };
}
