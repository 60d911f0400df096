import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { SessionPage, SessionTurn, SessionView } from "../../../gateway/contract/sessions.ts";
import { sessionsOf } from "../../support/plain-sessions.ts";
import type { FakeControl } from "./fake-control.ts";
import { receiptOf } from "./receipts.ts";

/** Sessions behind the pages, made of the fake's receipts as the gateway makes them of its log. */
export function sessionsResponse(fake: FakeControl, address: URL): SessionPage | SessionView | SessionTurn | undefined {
  const { pathname, searchParams } = address;
  const all = sessionsOf(fake.receipts);
  const one = /^\/control\/sessions\/(.+)$/.exec(pathname)?.[1];
  if (one !== undefined) return all.find(({ id }) => id === decodeURIComponent(one));
  const turn = /^\/control\/requests\/([^/]+)\/turn$/.exec(pathname)?.[1];
  if (turn !== undefined) return turnOf(turn);
  if (pathname !== "/control/sessions") return undefined;
  const q = searchParams.get("q")?.toLowerCase() ?? "";
  const expected = all.filter(({ id, project }) => `${id} ${project ?? ""}`.toLowerCase().includes(q));
  const limit = Number(searchParams.get("limit"));
  const from = Number(searchParams.get("before") ?? 0);
  const cursor = from + limit < expected.length ? String(from + limit) : null;
  return { data: expected.slice(from, from + limit), cursor, total: expected.length, rebuilding: null };
}

const message = (
  role: "user" | "assistant" | "tool" | "system",
  kind: "text" | "call" | "result",
  text: string,
  name = "",
) => ({
  role,
  kind,
  name,
  text,
  cut: 0,
});

function turnOf(id: string): SessionTurn {
  const asked = [
    message("system", "text", `You help with software.\n${"Be careful. ".repeat(40)}`),
    message("user", "text", `Look at ${id}`),
    {
      ...message("tool", "result", Array.from({ length: 30 }, (_, line) => `line ${line}`).join("\n"), "Read"),
      cut: 1_234,
    },
  ];
  const responded = [message("assistant", "text", "I look."), message("assistant", "call", '{"path":"a.ts"}', "Read")];
  return { id, recording_on: true, recorded: true, after: null, asked, repeated: 0, more: 0, responded };
}

const terms = (input: number, cached: number, output: number): Receipt["terms"] => [
  { unit: "input", quantity: input, nano_per_million: 5_000_000_000, nano: input * 5_000 },
  { unit: "cached_input", quantity: cached, nano_per_million: 500_000_000, nano: cached * 500 },
  { unit: "output", quantity: output, nano_per_million: 25_000_000_000, nano: output * 25_000 },
];

/** Nearly all of them are read from the cache. */
function prefixOf(place: number): NonNullable<Receipt["prefix"]> {
  const of = 2 * place;
  const whole = { after: receiptOf(201 - place).id, idle_ms: 20_000, changed: [], of, kept: of, marks: "5m" } as const;
  const missed = { missed: 11_000 + place, missed_nano: 49_500_000 };
  if (place === 9) return { ...whole, changed: ["system"], kept: 12, message: "changed", ...missed };
  if (place === 10) return { ...whole, changed: [], idle_ms: 720_000, ...missed };
  if (place === 11) return { ...whole, changed: [], kept: 6, message: "removed", missed: 9_000, missed_nano: null };
  return { ...whole, changed: [], missed: 0, missed_nano: 0 };
}

export const LONG_SESSION = "0f51015d-ed5a-4de0-8285-1f008afc3073";

/** A session of thirty requests with a sub-agent, a title and a failure in it, and some of one request. */
export function addSessions(fake: FakeControl): void {
  const turns = Array.from({ length: 30 }, (_, place): Receipt => {
    const results = 400 * place;
    const changes: Partial<Receipt> = {
      session: LONG_SESSION,
      project: "shop",
      endpoint: "messages",
      client: "claude-cli",
      model: "claude-opus-5-5",
      provider: "anthropic",
      ms: place === 12 ? 42_000 : 2_000 + 150 * place,
      first_ms: 800,
      terms: terms(600 + place, 12_000 + results, 300),
      nano: 20_000_000 + place * 1_000,
      context: { system: 3_000, tools: 8_000, results: results + place, messages: 1_600 },
      ...(place < 2 ? {} : { prefix: prefixOf(place) }),
    };
    if (place === 0) return receiptOf(200, { ...changes, kinds: ["background", "title"], model: "claude-haiku-4-5" });
    if (place % 10 === 7) return receiptOf(200 - place, { ...changes, agent: "a1a79b16d83368e32" });
    if (place !== 20) return receiptOf(200 - place, changes);
    const { context: _context, ...refused } = changes;
    const failed = { status: 529, code: "upstream_overloaded", outcome: "failed" as const, terms: [], nano: 0 };
    return receiptOf(180, { ...refused, ...failed, first_ms: null, ms: 900 });
  });
  const others = Array.from({ length: 12 }, (_, place) =>
    receiptOf(300 + place, { session: `ses_${place}`, ...(place % 3 === 0 ? {} : { project: `project-${place}` }) }),
  );
  fake.receipts = [...turns.toReversed(), ...others, ...fake.receipts];
}
