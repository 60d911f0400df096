import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { figuresOf } from "../../../gateway/contract/request-figures.ts";
import type { SessionPage, SessionView } from "../../../gateway/contract/sessions.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import { UsageError } from "../command-errors.ts";
import type { Command, CommandContext, CommandValues } from "../command.ts";
import { table, timeLabel } from "../table.ts";
import { given, integerOption } from "../values.ts";

const DEFAULT_LIMIT = 20;
const DEFAULT_TURNS = 100;
const MOST = 500;

const NOTHING = "–";

function readLimit(values: CommandValues, usual: number): number {
  const limit = integerOption(values, "limit") ?? usual;
  if (limit < 1 || limit > MOST) throw new UsageError(`--limit takes a number from 1 to ${MOST}.`);
  return limit;
}

/** Shows how many of the input tokens came from a provider's cache. */
const cacheLabel = (cached: number, input: number): string =>
  input === 0 ? NOTHING : `${Math.round((100 * cached) / input)}%`;

function lengthLabel(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Names next to the sum what is not in it. */
function costLabel({ cost_nano, unpriced, sandbox, requests }: SessionView): string {
  if (sandbox === requests) return "sandbox";
  return `${moneyLabel(cost_nano)}${unpriced === 0 ? "" : ` + ${unpriced} unpriced`}`;
}

const headings = [
  "ID",
  "ENDED",
  "PROJECT",
  "CLIENT",
  ">TURNS",
  ">AGENTS",
  "MODELS",
  ">COST",
  ">INPUT",
  ">CACHED",
  ">OUTPUT",
  ">TIME",
  ">FAILED",
];

/** A row for each session, times in UTC. */
export function sessionTable({ data, total, complete, reading }: SessionPage): string {
  if (data.length === 0)
    return "There are no such sessions. Agents name theirs; others can by the header x-postern-session.";
  const rows = data.map((session) => [
    session.id,
    timeLabel(session.ended_at),
    session.project ?? NOTHING,
    session.clients.join(", "),
    String(session.requests),
    String(session.agents + 1),
    session.models.join(", "),
    costLabel(session),
    String(session.input_tokens),
    cacheLabel(session.cached_input_tokens, session.input_tokens),
    String(session.output_tokens),
    lengthLabel(session.ended_at - session.started_at),
    String(session.failed),
  ]);
  const lines = [table(headings, rows)];
  if (total > data.length) lines.push(`${data.length} of ${total}. --limit shows more.`);
  if (reading) lines.push("Older requests are still being read: there may be more.");
  if (!complete)
    lines.push("Older requests were not looked at: there may be more sessions, and earlier turns of these.");
  return lines.join("\n");
}

const turnHeadings = [
  ">TURN",
  "TIME",
  "AGENT",
  "MODEL",
  "OUTCOME",
  ">INPUT",
  ">CACHED",
  ">OUTPUT",
  ">SYSTEM",
  ">TOOLS",
  ">RESULTS",
  ">MESSAGES",
  ">TTFT",
  ">TOTAL",
  ">COST",
];

/** A session with its turns in their order; the slowest is marked. */
export function sessionText(session: SessionView, turns: readonly Receipt[]): string {
  const facts: readonly (readonly [string, string])[] = [
    ["Session", session.id],
    ["Project", session.project ?? NOTHING],
    ["Clients", session.clients.join(", ")],
    ["Models", session.models.join(", ")],
    ["Time", `${timeLabel(session.started_at)} to ${timeLabel(session.ended_at)} (UTC)`],
    ["Requests", `${session.requests}, ${session.failed} failed`],
    ["Cost", costLabel(session)],
    [
      "Tokens",
      `${session.input_tokens} input (${cacheLabel(session.cached_input_tokens, session.input_tokens)} from the cache), ${session.output_tokens} output`,
    ],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const left = session.requests - turns.length;
  const rows = turns.map((turn, place) => makeRow(turn, left + place + 1, session.slowest_ms));
  return [
    ...facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    "",
    table(turnHeadings, rows),
    "SYSTEM to MESSAGES share the input tokens out by size. TTFT and TOTAL are seconds; * is the slowest.",
    ...(left > 0 ? [`The newest ${turns.length} of ${session.requests}. --limit shows more.`] : []),
  ].join("\n");
}

function makeRow(turn: Receipt, number: number, slowest: number | null): string[] {
  const { tokens, output_tokens } = figuresOf(turn);
  const cached = turn.terms.reduce((sum, { unit, quantity }) => (unit.startsWith("cached_") ? sum + quantity : sum), 0);
  const { context } = turn;
  const part = (name: "system" | "tools" | "results" | "messages"): string =>
    context === undefined ? NOTHING : String(context[name]);
  return [
    String(number),
    timeLabel(turn.at),
    turn.agent ?? NOTHING,
    turn.model,
    turn.code ?? turn.outcome,
    String(tokens - output_tokens),
    cacheLabel(cached, tokens - output_tokens),
    String(output_tokens),
    part("system"),
    part("tools"),
    part("results"),
    part("messages"),
    turn.first_ms === null ? NOTHING : (turn.first_ms / 1_000).toFixed(1),
    `${(turn.ms / 1_000).toFixed(1)}${turn.ms === slowest ? "*" : ""}`,
    turn.sandbox ? "sandbox" : turn.nano === null ? "unpriced" : moneyLabel(turn.nano),
  ];
}

/** Reads the newest turns, oldest first: pages of the log may be short. */
async function readTurns(control: CommandContext["control"], session: SessionView, most: number): Promise<Receipt[]> {
  const filter = { session: session.id, since: session.started_at, until: session.ended_at + 1, limit: most };
  const turns: Receipt[] = [];
  let before: string | undefined;
  do {
    const page = await control.call("listRequests", { ...filter, ...given({ before }) });
    turns.push(...page.data);
    before = page.cursor ?? undefined;
  } while (before !== undefined && turns.length < most);
  return turns.slice(0, most).toReversed();
}

export const listSessions: Command = {
  name: "sessions",
  about: "sessions of agents, newest first: what they cost, their tokens, what failed",
  options: {
    project: { value: "NAME", about: "only those in the folder of this name" },
    client: { value: "NAME", about: "only those of this client, as the list names it" },
    limit: { value: "N", about: `how many; ${DEFAULT_LIMIT} without it, at most ${MOST}` },
  },
  async run({ control }, values) {
    const limit = readLimit(values, DEFAULT_LIMIT);
    const filter = given({ project: values.text("project"), client: values.text("client") });
    const page = await control.call("listSessions", { limit, ...filter });
    return { json: page, text: sessionTable(page) };
  },
};

export const showSession: Command = {
  name: "sessions show",
  about: "one session turn by turn: cost, tokens, what filled the context, times",
  takesId: true,
  options: {
    limit: { value: "N", about: `how many of its newest turns; ${DEFAULT_TURNS} without it, at most ${MOST}` },
  },
  async run({ control }, values) {
    const limit = readLimit(values, DEFAULT_TURNS);
    const session = await control.call("getSession", {}, values.id);
    const turns = await readTurns(control, session, limit);
    return { json: { session, turns }, text: sessionText(session, turns) };
  },
};
