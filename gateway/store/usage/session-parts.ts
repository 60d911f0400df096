import { hasDuration, hasFailed } from "../../contract/ending.ts";
import type { SessionFigures, SessionPart, SessionSums } from "../../core/sessions/session-sums.ts";
import type { PassedBlock, PassedReceipt } from "../store.ts";

type Part = { -readonly [Name in keyof SessionPart]: SessionPart[Name] } & {
  readonly clients: string[];
  readonly models: string[];
  readonly agents: string[];
  /** Codes of the last names: nearly all requests of a session have the same. */
  clientCode: number;
  modelCode: number;
  agentCode: number;
  lastAt: number;
  /** Whether one is not settled before the one that is named before it. */
  isMixed: boolean;
};

/**
 * Counts the receipts of a block that name a session, the newest first: those of each session at once, which costs a tenth
 * of counting one after the other.
 * @param upTo number of the last receipt that is counted here
 */
export function countBlock(sums: SessionSums, block: PassedBlock, upTo: number): void {
  const texts = block.texts("session");
  const isFull = sums.isFull;
  // Of what is older than all that are kept, nothing is of interest but that it is there.
  if (isFull && sums.forgot && !texts.some((text) => text !== null && sums.has(text))) return;
  const parts: (Part | null)[] = texts.map(() => null);
  const order: Part[] = [];
  const columns = columnsOf(block);
  const sessions = block.codes("session");
  for (const row of block.matching) {
    const code = sessions[row] as number;
    const session = texts[code] ?? "";
    if (session === "" || (columns.n[row] as number) > upTo) continue;
    let part = parts[code] ?? null;
    if (part === null) {
      part = parts[code] = emptyPart(session);
      order.push(part);
    }
    add(part, row, columns);
  }
  for (const part of order) {
    if (!part.isMixed && sums.countEarlierPart(part)) continue;
    for (const row of block.matching) {
      block.row = row;
      if (block.n <= upTo && block.text("session") === part.session)
        sums.countEarlier(figuresOfPassed(block, part.session));
    }
  }
}

/** Of a receipt that was passed, what is summed for its session. */
export function figuresOfPassed(passed: PassedReceipt, session: string): SessionFigures {
  const { at, ms, nano, sandbox, status, tokens, output_tokens, cached_tokens } = passed;
  const ending = { outcome: passed.text("outcome"), code: passed.text("code") || null, status };
  return {
    session,
    project: passed.text("project"),
    agent: passed.text("agent"),
    client: passed.text("client"),
    model: passed.text("provider") === "" ? "" : passed.text("model"),
    at,
    ms,
    nano,
    sandbox,
    failed: hasFailed(ending),
    measured: hasDuration(ending),
    tokens,
    output_tokens,
    cached_tokens,
  };
}

function columnsOf(block: PassedBlock) {
  return {
    n: block.figures("n"),
    at: block.figures("at"),
    ms: block.figures("ms"),
    nano: block.figures("nano"),
    sandbox: block.figures("sandbox"),
    status: block.figures("status"),
    tokens: block.figures("tokens"),
    output: block.figures("output_tokens"),
    cached: block.figures("cached_tokens"),
    outcomes: block.codes("outcome"),
    codes: block.codes("code"),
    outcome: block.texts("outcome"),
    code: block.texts("code"),
    clients: block.codes("client"),
    client: block.texts("client"),
    models: block.codes("model"),
    model: block.texts("model"),
    providers: block.codes("provider"),
    provider: block.texts("provider"),
    agents: block.codes("agent"),
    agent: block.texts("agent"),
    projects: block.codes("project"),
    project: block.texts("project"),
  };
}

const emptyPart = (session: string): Part => ({
  session,
  started_at: Infinity,
  ended_at: -Infinity,
  requests: 0,
  failed: 0,
  cost_nano: 0,
  unpriced: 0,
  sandbox: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  slowest_ms: null,
  project: null,
  namedAt: -Infinity,
  clients: [],
  models: [],
  agents: [],
  clientCode: -1,
  modelCode: -1,
  agentCode: -1,
  lastAt: Infinity,
  isMixed: false,
});

function add(part: Part, row: number, columns: ReturnType<typeof columnsOf>): void {
  const [at, ms, nano] = [columns.at[row] as number, columns.ms[row] as number, columns.nano[row] as number];
  if (part.requests === 0) part.ended_at = at;
  else part.isMixed ||= at >= part.lastAt;
  part.lastAt = at;
  part.started_at = Math.min(part.started_at, Math.floor(at - ms));
  part.requests += 1;
  if (columns.sandbox[row] === 1) part.sandbox += 1;
  else if (Number.isNaN(nano)) part.unpriced += 1;
  else part.cost_nano += nano;
  const output = columns.output[row] as number;
  part.input_tokens += (columns.tokens[row] as number) - output;
  part.output_tokens += output;
  part.cached_input_tokens += columns.cached[row] as number;
  const ending = {
    outcome: columns.outcome[columns.outcomes[row] as number] ?? "",
    code: (columns.code[columns.codes[row] as number] ?? "") || null,
    status: columns.status[row] as number,
  };
  if (hasFailed(ending)) part.failed += 1;
  if (hasDuration(ending)) part.slowest_ms = Math.max(part.slowest_ms ?? 0, ms);
  const project = columns.project[columns.projects[row] as number] ?? "";
  if (project !== "" && part.project === null) {
    part.project = project;
    part.namedAt = at;
  }
  const client = columns.clients[row] as number;
  if (client !== part.clientCode) addName(part.clients, columns.client[client]);
  part.clientCode = client;
  const model = columns.models[row] as number;
  // A call that reached no provider may name any model.
  if (columns.provider[columns.providers[row] as number] ?? "") {
    if (model !== part.modelCode) addName(part.models, columns.model[model]);
    part.modelCode = model;
  }
  const agent = columns.agents[row] as number;
  if (agent !== part.agentCode) addName(part.agents, columns.agent[agent]);
  part.agentCode = agent;
}

function addName(names: string[], name: string | null | undefined): void {
  if (name !== null && name !== undefined && name !== "" && !names.includes(name)) names.push(name);
}
