import { describe, expect, it, test } from "vitest";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { SessionView } from "../../../gateway/contract/sessions.ts";
import { refusal, startFakeControl, runWith } from "./fake-control.ts";
import { postern } from "./run.ts";
import { receipt } from "../../gateway/store/fixtures.ts";

const AT = Date.UTC(2026, 10, 24, 12);

const session: SessionView = {
  id: "s/1",
  project: "shop",
  clients: ["claude-cli"],
  models: ["claude-opus-5-5", "claude-haiku-5-5"],
  agents: 1,
  started_at: AT,
  ended_at: AT + 25 * 60_000,
  requests: 3,
  failed: 1,
  cost_nano: 120_000_000,
  unpriced: 1,
  sandbox: 0,
  input_tokens: 2_000,
  cached_input_tokens: 1_500,
  output_tokens: 80,
  slowest_ms: 9_500,
};
const page = (data: readonly object[], more: object = {}) => ({
  "GET /control/sessions": {
    body: { data, cursor: null, total: data.length, rebuilding: null, ...more },
  },
});

describe("sessions", () => {
  it("are one row each", async () => {
    const other = { ...session, id: "s2", project: null, sandbox: 3, agents: 0, input_tokens: 0, ended_at: AT + 4_000 };
    await using control = await startFakeControl(page([session, other], { total: 9, rebuilding: 40 }));
    const argv = ["sessions", "--project", "shop", "--app", "claude-cli", "--limit", "2"];
    const { code, out } = await control.run(argv);
    expect(code).toBe(0);
    const [head, first, second, ...notes] = out.split("\n");
    expect(head).toMatch(/^ID +ENDED +PROJECT +APP +TURNS +AGENTS +MODELS +COST +INPUT +CACHED +OUTPUT +TIME +FAILED$/);
    expect(first).toMatch(
      /^s\/1 +2026-11-24 12:25 +shop +claude-cli +3 +2 +claude-opus-5-5, claude-haiku-5-5 +\$0\.12 \+ 1 unpriced +2000 +75% +80 +25 min +1$/,
    );
    expect(second).toMatch(/^s2 .* – +claude-cli +3 +1 .* sandbox +0 +– +80 +4\.0 s +1$/);
    expect(notes).toEqual(["2 of 9. --limit shows more.", expect.stringContaining("40 %")]);
    expect(control.calls[0]?.address).toBe("/control/sessions?limit=2&project=shop&client=claude-cli");
  });

  it("say how they come about where none exist", async () => {
    const { out } = await runWith(page([]), ["sessions"]);
    expect(out).toContain("x-postern-session");
  });

  test.each([
    [["sessions", "--limit", "0"], "--limit takes a number from 1 to 500"],
    [["sessions", "extra"], "does not take"],
    [["sessions", "show"], "needs an ID"],
  ])("%j ends with 2 and a sentence", async (argv, sentence) => {
    const ended = await postern(argv);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.error).toContain(sentence);
  });
});

const turn = (id: string, changes: Partial<Receipt> = {}): Receipt => ({
  ...receipt(id),
  at: AT,
  model: "claude-opus-5-5",
  session: "s/1",
  code: null,
  outcome: "completed",
  sandbox: false,
  ms: 9_500,
  first_ms: 1_250,
  nano: 100_000_000,
  terms: [
    { unit: "input", quantity: 500, nano_per_million: 0, nano: 0 },
    { unit: "cached_input", quantity: 1_500, nano_per_million: 0, nano: 0 },
    { unit: "output", quantity: 80, nano_per_million: 0, nano: 0 },
  ],
  context: { system: 900, tools: 800, results: 250, messages: 50 },
  prefix: {
    after: "r0",
    idle_ms: 400_000,
    changed: ["tools"],
    of: 4,
    kept: 4,
    marks: "5m",
    missed: 1_400,
    missed_nano: 8_000_000,
  },
  ...changes,
});
const { context: _context, prefix: _prefix, ...bare } = turn("r2");

describe("one session", () => {
  it("is shown turn by turn, the oldest first, however short the pages of the log are", async () => {
    const newest = {
      ...bare,
      agent: "helper\u001b[31m",
      code: "rate_limit_exceeded",
      terms: [],
      nano: null,
      first_ms: null,
      ms: 20,
    };
    const pages = [
      { data: [newest], cursor: "c", complete: true, rebuilding: null },
      { data: [turn("r1")], cursor: null, complete: true, rebuilding: null },
    ];
    await using control = await startFakeControl({
      "GET /control/sessions/s%2F1": { body: session },
      get "GET /control/requests"() {
        return { body: pages.shift() };
      },
    });
    const { code, out } = await control.run(["sessions", "show", "s/1"]);
    expect(code).toBe(0);
    for (const line of [
      /^Session +s\/1$/m,
      /^Requests +3, 1 failed$/m,
      /^Tokens +2000 input \(75% from the cache\), 80 output$/m,
      /^ +2 +2026-11-24 12:00 +– +claude-opus-5-5 +completed +2000 +75% +80 +900 +800 +250 +50 +1\.3 +9\.5\* +\$0\.10 +1400 +tools changed, 400 s passed, the cache lasts 5m$/m,
      /^ +3 .* helper \[31m +claude-opus-5-5 +rate_limit_exceeded +0 +– +0 +– +– +– +– +– +0\.0 +unpriced +– +–$/m,
      /^The newest 2 of 3\./m,
    ]) {
      expect(out).toMatch(line);
    }
    expect(control.calls.slice(1).map(({ address }) => address)).toEqual([
      `/control/requests?session=s%2F1&since=${AT}&until=${AT + 25 * 60_000 + 1}&limit=100`,
      `/control/requests?session=s%2F1&since=${AT}&until=${AT + 25 * 60_000 + 1}&limit=100&before=c`,
    ]);
  });

  it("that is not there ends with 1", async () => {
    const ended = await runWith(
      {
        "GET /control/sessions/x": { status: 404, body: refusal("not_found", "There is none.") },
      },
      ["sessions", "show", "x"],
    );
    expect(ended).toMatchObject({ code: 1, out: "" });
    expect(ended.error).toContain("There is none.");
  });
});
