import type { SessionView } from "../../contract/sessions.ts";
import { addNano } from "../../lib/money.ts";

/** What of a receipt is summed for its session. */
export interface SessionFigures {
  readonly session: string;
  /** "" where the client does not tell; also for the agent that a person talks to. */
  readonly project: string;
  readonly agent: string;
  readonly client: string;
  /** "" where no provider was reached: such calls may name any model. */
  readonly model: string;
  /** When it was settled, Unix ms. */
  readonly at: number;
  readonly ms: number;
  readonly nano: number | null;
  readonly sandbox: boolean;
  readonly failed: boolean;
  /** Whether its time says how fast responses are. */
  readonly measured: boolean;
  readonly tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
}

const MOST_NAMES = 8;
const MOST_AGENTS = 100;
/** About 500 bytes each. */
const MOST_SESSIONS = 5_000;

/** Where a session stands among others. */
export type SessionPlace = Readonly<Pick<SessionView, "id" | "ended_at">>;

/** A session as it is kept next to the log. */
export type SessionRow = readonly [
  id: string,
  project: string | null,
  clients: string[],
  models: string[],
  agents: readonly string[],
  slowest_ms: number | null,
  named_at: number | null,
  started_at: number,
  ended_at: number,
  requests: number,
  failed: number,
  cost_nano: number,
  unpriced: number,
  sandbox: number,
  input_tokens: number,
  cached_input_tokens: number,
  output_tokens: number,
];

type Sums = { -readonly [Name in keyof SessionView]: SessionView[Name] } & {
  /** Settled moment of the receipt that named the project. */
  namedAt: number;
  /** Of its agents; null for none, as most sessions have. */
  names: Set<string> | null;
};

/** The newest sessions and what each adds up to. Receipts may come in any order; each is to come once. */
export class SessionSums {
  /** The one whose newest request is the oldest comes first, once `sort` was called. */
  #sessions = new Map<string, Sums>();
  readonly #most: number;
  readonly #onForgotten: (id: string) => void;
  #forgot = false;
  /** Whether those of before are counted, the newest first: until they are in order, the first one is no older than others. */
  #isReading = false;

  /** @param forgot whether there were more before @param onForgotten hears of each that is not kept, some more than once */
  constructor(most = MOST_SESSIONS, forgot = false, onForgotten: (id: string) => void = () => undefined) {
    this.#most = most;
    this.#forgot = forgot;
    this.#onForgotten = onForgotten;
  }

  /** One that was kept: those whose newest requests were settled later come later. @param row as `rows` gave it */
  restore(row: SessionRow): void {
    const sums = sumsOf(row);
    this.#sessions.set(sums.id, sums);
  }

  /** All of them, the one whose newest request was settled first comes first. Asked for before `sort`. */
  rows(): SessionRow[] {
    const rows = [...this.#sessions.values()].map(rowOf);
    return this.#isReading ? rows.toReversed() : rows;
  }

  /** Whether there were more than are kept. */
  get forgot(): boolean {
    return this.#forgot;
  }

  get size(): number {
    return this.#sessions.size;
  }

  get #isFull(): boolean {
    return this.#sessions.size >= this.#most;
  }

  /** One that was settled now: its session is the newest. */
  count(figures: SessionFigures): void {
    const known = this.#sessions.get(figures.session);
    if (known === undefined) {
      if (this.#isFull && !this.#isReading) this.#forgetFirst();
      this.#sessions.set(figures.session, added(emptySums(figures), figures));
      return;
    }
    added(known, figures);
    this.#sessions.delete(figures.session);
    this.#sessions.set(figures.session, known);
  }

  /** One of before, from the newest on: a session that is not known by then is older than all that are kept. */
  countEarlier(figures: SessionFigures): void {
    this.#isReading = true;
    const known = this.#sessions.get(figures.session);
    if (known !== undefined) added(known, figures);
    else if (this.#isFull) this.#forget(figures.session);
    else this.#sessions.set(figures.session, added(emptySums(figures), figures));
  }

  /** Puts them in order, after those of before were counted, and forgets the oldest where others began meanwhile. */
  sort(): void {
    const all = [...this.#sessions.values()];
    // So they are where they were counted as they came.
    if (!all.every((sums, place) => place === 0 || (all[place - 1] as Sums).ended_at <= sums.ended_at)) {
      all.sort((a, b) => a.ended_at - b.ended_at);
      this.#sessions = new Map(all.map((sums) => [sums.id, sums]));
    }
    this.#isReading = false;
    while (this.#sessions.size > this.#most) this.#forgetFirst();
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  get(id: string): SessionView | null {
    const sums = this.#sessions.get(id);
    return sums === undefined ? null : viewOf(sums);
  }

  /** The newest first; of those that ended in the same moment, the last by their ids. */
  list(): SessionView[] {
    return this.places(() => true).map(({ id }) => this.get(id) as SessionView);
  }

  /** The same of those that are wanted, without a view of each. */
  places(isWanted: (session: Readonly<SessionView>) => boolean): readonly SessionPlace[] {
    const newestFirst = (a: SessionPlace, b: SessionPlace): number => b.ended_at - a.ended_at || (a.id < b.id ? 1 : -1);
    return [...this.#sessions.values()].filter(isWanted).toSorted(newestFirst);
  }

  #forgetFirst(): void {
    for (const id of this.#sessions.keys()) {
      this.#sessions.delete(id);
      this.#forget(id);
      return;
    }
  }

  #forget(id: string): void {
    this.#forgot = true;
    this.#onForgotten(id);
  }
}

function emptySums({ session, at, ms }: SessionFigures): Sums {
  return {
    id: session,
    project: null,
    clients: [],
    models: [],
    agents: 0,
    started_at: Math.floor(at - ms),
    ended_at: at,
    requests: 0,
    failed: 0,
    cost_nano: 0,
    unpriced: 0,
    sandbox: 0,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    slowest_ms: null,
    namedAt: -Infinity,
    names: null,
  };
}

function added(sums: Sums, figures: SessionFigures): Sums {
  const { at, ms, nano, project, agent, client, model } = figures;
  const isNewest = at >= sums.ended_at;
  sums.started_at = Math.min(sums.started_at, Math.floor(at - ms));
  sums.ended_at = Math.max(sums.ended_at, at);
  sums.requests += 1;
  if (figures.failed) sums.failed += 1;
  if (figures.sandbox) sums.sandbox += 1;
  else if (nano === null) sums.unpriced += 1;
  else sums.cost_nano = addNano(sums.cost_nano, nano);
  sums.input_tokens += figures.tokens - figures.output_tokens;
  sums.output_tokens += figures.output_tokens;
  sums.cached_input_tokens += figures.cached_tokens;
  if (figures.measured) sums.slowest_ms = Math.max(sums.slowest_ms ?? 0, ms);
  if (project !== "" && at >= sums.namedAt) {
    sums.project = project;
    sums.namedAt = at;
  }
  if (agent !== "" && sums.agents < MOST_AGENTS) sums.agents = (sums.names ??= new Set()).add(agent).size;
  name(sums.clients, client, isNewest);
  name(sums.models, model, isNewest);
  return sums;
}

function name(names: string[], one: string, isNewest: boolean): void {
  if (one === "" || names[0] === one) return;
  const known = names.indexOf(one);
  if (isNewest) {
    if (known !== -1) names.splice(known, 1);
    names.unshift(one);
    if (names.length > MOST_NAMES) names.pop();
  } else if (known === -1 && names.length < MOST_NAMES) names.push(one);
}

function viewOf(sums: Sums): SessionView {
  const { namedAt: _namedAt, names: _names, ...view } = sums;
  return { ...view, clients: [...view.clients], models: [...view.models] };
}

function rowOf(sums: Sums): SessionRow {
  const { id, project, clients, models, started_at, ended_at, requests, failed, cost_nano, unpriced, sandbox } = sums;
  const { input_tokens, cached_input_tokens, output_tokens, slowest_ms, namedAt, names } = sums;
  const counts = [started_at, ended_at, requests, failed, cost_nano, unpriced, sandbox] as const;
  const tokens = [input_tokens, cached_input_tokens, output_tokens] as const;
  return [
    id,
    project,
    [...clients],
    [...models],
    [...(names ?? [])],
    slowest_ms,
    namedAt === -Infinity ? null : namedAt,
    ...counts,
    ...tokens,
  ];
}

function sumsOf(row: SessionRow): Sums {
  const names = row[4];
  return {
    id: row[0],
    project: row[1],
    clients: row[2],
    models: row[3],
    agents: names.length,
    started_at: row[7],
    ended_at: row[8],
    requests: row[9],
    failed: row[10],
    cost_nano: row[11],
    unpriced: row[12],
    sandbox: row[13],
    input_tokens: row[14],
    cached_input_tokens: row[15],
    output_tokens: row[16],
    slowest_ms: row[5],
    namedAt: row[6] ?? -Infinity,
    names: names.length === 0 ? null : new Set(names),
  };
}
