import type { DatabaseSync } from "node:sqlite";
import { wasCancelled } from "../../contract/ending.ts";
import type { Totals } from "../../contract/totals.ts";
import { toCounts } from "../../core/usage/durations.ts";
import type { Durations } from "../../core/usage/durations.ts";
import type { SummedHours } from "../../core/usage/hour-sums.ts";
import { HOUR_MS } from "../../core/usage/usage-period.ts";
import { receiptFilter } from "./receipt-filter.ts";
import type { SumHours } from "./questions.ts";

const HOUR = `CAST(at / ${HOUR_MS} AS INTEGER)`;
/** Sums of receipts per hour and trait; the trait includes sandbox and outcome. */
const SUMMED = `count(*) AS requests, sum(failed) AS failed, sum(nano IS NULL) AS unpriced, total(nano) AS nano,
  sum(estimated) AS estimated, total(iif(estimated, nano, 0)) AS estimated_nano, total(tokens - output_tokens) AS input,
  total(cached_tokens) AS cached, total(output_tokens) AS output, total(reasoning) AS reasoning, total(saved) AS saved`;

/** Columns of traits. A call that reached no provider may name any model. */
const GROUPS: Readonly<Record<SumHours["by"], string>> = {
  model: "CASE WHEN provider = '' THEN '' ELSE model END",
  key: "key",
  client: "client",
  endpoint: "coalesce(endpoint, '')",
  project: "coalesce(project, '')",
  connection: "coalesce(connection, '')",
};

interface Trait {
  readonly name: string;
  readonly endpoint: string;
  readonly sandbox: boolean;
  readonly cancelled: boolean;
  readonly unknown: boolean;
}

interface HourRow {
  readonly hour: number;
  readonly name: string;
  readonly endpoint: string;
  readonly totals: Totals;
  readonly durations: Durations;
  readonly firstDurations: Durations;
}

/** Sums of hours, of the receipts themselves. */
export class Hours {
  readonly #database: DatabaseSync;
  #note: (hour: number, trait: number, duration: number, first: number) => void = () => undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.function("note_times", (hour, trait, duration, first) => {
      this.#note(Number(hour), Number(trait), Number(duration), Number(first));
      return 0;
    });
  }

  /** @param isIndexed whether the indexes are made */
  sum({ from, to, by, sums, search }: SumHours, isIndexed: boolean): SummedHours {
    const traits = this.#traits(by);
    const rows = new HourRows(sums);
    const getRow = (hour: number, id: number): HourRow => {
      const trait = traits.get(id);
      return rows.get(hour, trait?.name ?? "", trait?.endpoint ?? "");
    };
    const { from: table, where } = receiptFilter(this.#database, { ...search, since: from, until: to }, isIndexed);
    const summed = `SELECT ${HOUR} AS hour, trait, ${SUMMED} FROM ${table} WHERE ${where.sql} GROUP BY hour, trait`;
    for (const found of this.#database.prepare(summed).all(...where.values) as unknown as Summed[])
      addSums(getRow(found.hour, found.trait).totals, found, traits.get(found.trait));
    this.#note = (hour, trait, duration, first) => {
      const row = getRow(hour, trait);
      row.durations[duration] = (row.durations[duration] ?? 0) + 1;
      if (first >= 0) row.firstDurations[first] = (row.firstDurations[first] ?? 0) + 1;
    };
    const timed = `SELECT sum(note_times(${HOUR}, trait, duration, ifnull(first_duration, -1))) FROM ${table}
      WHERE ${where.sql} AND measured AND NOT sandbox`;
    this.#database.prepare(timed).get(...where.values);
    return rows.columns;
  }

  #traits(by: SumHours["by"]): ReadonlyMap<number, Trait> {
    const traits = this.#database.prepare(
      `SELECT id, ${GROUPS[by]} AS name, ${GROUPS.endpoint} AS kind, sandbox, outcome, code, coalesce(status, 0) AS status FROM traits`,
    );
    return new Map(
      traits.all().map(({ id, name, kind, sandbox, outcome, code, status }) => [
        Number(id),
        {
          name: String(name),
          endpoint: String(kind),
          sandbox: sandbox === 1,
          cancelled: wasCancelled({ outcome: String(outcome), code: code as string | null, status: Number(status) }),
          unknown: outcome === "unknown",
        },
      ]),
    );
  }
}

/** Sums by hour, name and endpoint, as they grow. */
export class HourRows {
  readonly #sums: SumHours["sums"];
  readonly #rows = new Map<string, HourRow>();

  constructor(sums: SumHours["sums"]) {
    this.#sums = sums;
  }

  /** Returns the row of an hour, a name and an endpoint, and makes a missing one. @param hour since 1970 */
  get(hour: number, name: string, endpoint: string): HourRow {
    const id = `${hour}\n${endpoint}\n${name}`;
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const totals = Object.fromEntries(this.#sums.map((sum) => [sum, 0])) as Totals;
    const row = { hour, name, endpoint, totals, durations: {}, firstDurations: {} };
    this.#rows.set(id, row);
    return row;
  }

  get columns(): SummedHours {
    const rows = [...this.#rows.values()].toSorted((a, b) => a.hour - b.hour);
    const [names, numbers] = numberNames(rows.map(({ name }) => name));
    const [endpointNames, endpoints] = numberNames(rows.map(({ endpoint }) => endpoint));
    return {
      names,
      hours: Float64Array.from(rows, ({ hour }) => hour),
      numbers,
      endpointNames,
      endpoints,
      sums: Float64Array.from(rows.flatMap(({ totals }) => this.#sums.map((name) => totals[name]))),
      durations: toCounts(rows.map(({ durations }) => durations)),
      firstDurations: toCounts(rows.map(({ firstDurations }) => firstDurations)),
    };
  }
}

/** Returns each name once, and the place of each in them. */
function numberNames(all: readonly string[]): readonly [names: readonly string[], numbers: Uint32Array] {
  const places = new Map([...new Set(all)].map((name, place) => [name, place]));
  return [[...places.keys()], Uint32Array.from(all, (name) => places.get(name) ?? 0)];
}

interface Summed extends Readonly<Record<"hour" | "trait" | "requests" | "failed" | "unpriced" | "nano", number>> {
  readonly estimated: number;
  readonly estimated_nano: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
  readonly saved: number;
}

/** Adds sums as `addReceipt` adds a receipt to the row of its day. */
function addSums(totals: Totals, summed: Summed, trait: Trait | undefined): void {
  if (trait?.sandbox === true) {
    totals.sandbox_requests += summed.requests;
    totals.sandbox_nano += summed.nano;
    return;
  }
  totals.requests += summed.requests;
  if (trait?.cancelled === true) totals.cancelled_requests += summed.requests;
  totals.errors += summed.failed;
  totals.unpriced_requests += summed.unpriced;
  totals.nano += summed.nano;
  if (trait?.unknown === true) totals.unknown_requests += summed.requests;
  totals.estimated_requests += summed.estimated;
  totals.estimated_nano += summed.estimated_nano;
  totals.input_tokens += summed.input;
  totals.cached_input_tokens += summed.cached;
  totals.output_tokens += summed.output;
  totals.reasoning_tokens += summed.reasoning;
  totals.cache_saved_nano += summed.saved;
}
