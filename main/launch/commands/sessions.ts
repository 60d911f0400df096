import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { SessionPage, SessionView } from "../../../gateway/contract/sessions.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import type { Command, CommandContext } from "../command.ts";
import { mirror } from "../mirror.ts";
import { printFacts, printTable, timeLabel } from "../table.ts";
import { given, limitRows, readLimit } from "../values.ts";
import { reasonsLabel } from "./prefix-label.ts";
import { costLabel as turnCost, countTokens } from "./requests.ts";

const DEFAULT_TURNS = 100;

const NOTHING = "–";

/** Formats the share of input tokens that came from a provider's cache. */
const cacheLabel = (cached: number, input: number): string =>
  input === 0 ? NOTHING : `${Math.round((100 * cached) / input)}%`;

function lengthLabel(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Lists the costs that the sum excludes. */
function costLabel({ cost_nano, unpriced, sandbox, requests }: SessionView): string {
  if (sandbox === requests) return "sandbox";
  if (unpriced === 0) return moneyLabel(cost_nano);
  return cost_nano === 0 ? `${unpriced} unpriced` : `${moneyLabel(cost_nano)} + ${unpriced} unpriced`;
}

/** A row for each session, times in UTC. */
function printSessions({ data, total, rebuilding }: SessionPage): string {
  if (data.length === 0)
    return "There are no such sessions. Agents name theirs; others can by the header x-postern-session.";
  const lines = [
    printTable(data, {
      ID: "id",
      ENDED: "ended_at",
      PROJECT: "project",
      APP: "clients",
      ">TURNS": "requests",
      ">AGENTS": ({ agents }) => agents + 1,
      MODELS: "models",
      ">COST": costLabel,
      ">INPUT": "input_tokens",
      ">CACHED": (session) => cacheLabel(session.cached_input_tokens, session.input_tokens),
      ">OUTPUT": "output_tokens",
      ">TIME": (session) => lengthLabel(session.ended_at - session.started_at),
      ">FAILED": "failed",
    }),
  ];
  if (total > data.length) lines.push(`${data.length} of ${total}. --limit shows more.`);
  if (rebuilding !== null) lines.push(`The index is being rebuilt, ${rebuilding} %: there may be more.`);
  return lines.join("\n");
}

/** A session with its turns in their order; the slowest is marked. */
function printSession(session: SessionView, turns: readonly Receipt[]): string {
  const { clients, models, failed, input_tokens: input, output_tokens: output } = session;
  const facts = printFacts({
    Session: session.id,
    Project: session.project ?? NOTHING,
    Apps: clients,
    Models: models,
    Time: `${timeLabel(session.started_at)} to ${timeLabel(session.ended_at)} (UTC)`,
    Requests: `${session.requests}, ${failed} failed`,
    Cost: costLabel(session),
    Tokens: `${input} input (${cacheLabel(session.cached_input_tokens, input)} from the cache), ${output} output`,
  });
  const left = session.requests - turns.length;
  const rows = printTable(
    turns.map((turn, place) => ({ ...turn, ...countTokens(turn), number: left + place + 1 })),
    {
      ">TURN": "number",
      TIME: "at",
      AGENT: "agent",
      MODEL: "model",
      OUTCOME: ({ code, outcome }) => code ?? outcome,
      ">INPUT": "input",
      ">CACHED": (turn) => cacheLabel(turn.cached, turn.input),
      ">OUTPUT": "output",
      ">SYSTEM": ({ context }) => context?.system,
      ">TOOLS": ({ context }) => context?.tools,
      ">RESULTS": ({ context }) => context?.results,
      ">MESSAGES": ({ context }) => context?.messages,
      ">TTFT": ({ first_ms: ms }) => (ms === null ? null : (ms / 1_000).toFixed(1)),
      ">TOTAL": ({ ms }) => `${(ms / 1_000).toFixed(1)}${ms === session.slowest_ms ? "*" : ""}`,
      ">COST": turnCost,
      ">AGAIN": ({ prefix }) => prefix?.missed,
      WHY: ({ prefix }) => prefix && reasonsLabel(prefix),
    },
  );
  return [
    facts,
    "",
    rows,
    "SYSTEM to MESSAGES share the input tokens out by size. TTFT and TOTAL are seconds; * is the slowest.",
    "AGAIN are tokens of the turn before that were not read from the provider's cache, and WHY.",
    ...(left > 0 ? [`The newest ${turns.length} of ${session.requests}. --limit shows more.`] : []),
  ].join("\n");
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

export const sessionCommands: readonly Command[] = [
  mirror("sessions", "listSessions", "sessions of agents, newest first: what they cost, their tokens, what failed", {
    options: {
      limit: limitRows("how many", 20),
      project: { value: "NAME", about: "only those in the folder of this name" },
      client: { value: "NAME", name: "app", earlier: "client", about: "only those of this app, as the list names it" },
    },
    print: printSessions,
  }),
  {
    name: "sessions show",
    about: "one session turn by turn: cost, tokens, what filled the context, times",
    takesId: "ID",
    options: { limit: limitRows("how many of its newest turns", DEFAULT_TURNS) },
    async run({ control }, values) {
      const limit = readLimit(values, "limit", DEFAULT_TURNS);
      const session = await control.call("getSession", {}, values.id);
      const turns = await readTurns(control, session, limit);
      return { json: { session, turns }, text: printSession(session, turns) };
    },
  },
];
