import { describe, expect, it } from "vitest";
import { startFakeControl } from "./fake-control.ts";

const receipt = {
  id: "req_1",
  at: Date.UTC(2026, 10, 29, 12, 5),
  key: "k1",
  endpoint: "messages",
  model: "claude-sonnet-5-5",
  provider: "anthropic",
  connection: "con_1",
  client: "claude-cli",
  status: 200,
  code: null,
  outcome: "completed",
  stream: true,
  ms: 4_200,
  first_ms: 800,
  sandbox: false,
  estimated: false,
  terms: [
    { unit: "input", quantity: 100, nano_per_million: 3_000_000_000, nano: 300_000 },
    { unit: "cached_input", quantity: 900, nano_per_million: 300_000_000, nano: 270_000 },
    { unit: "output", quantity: 50, nano_per_million: 15_000_000_000, nano: 750_000 },
  ],
  nano: 1_320_000,
  price: { source: "catalog", as_of: "2026-11-20" },
};
const refused = {
  ...receipt,
  id: "req_2",
  client: "curl",
  status: 503,
  code: "upstream_overloaded",
  message: "OpenAI is overloaded. Try again.",
  outcome: "failed",
  terms: [],
  nano: null,
  price: null,
};

const BARE = { recording: null, recording_on: false, resend_obstacle: null, media: [], task: null };
const page = (data: readonly object[], more: object = {}) => ({
  "GET /control/requests": { body: { data, cursor: null, complete: true, rebuilding: null, ...more } },
});

describe("requests", () => {
  it("are one row each, by the names of apps", async () => {
    await using control = await startFakeControl(page([receipt, refused], { cursor: "c" }));
    const { code, out } = await control.run([
      "requests",
      "--app",
      "Claude Code",
      "--status",
      "failed",
      "--search",
      "blue",
      "--since",
      "2026-11-29",
    ]);
    const [head, first, second, note] = out.split("\n");
    expect(code).toBe(0);
    expect(head).toMatch(/^ID +TIME +APP +MODEL +OUTCOME +INPUT +CACHED +OUTPUT +SECONDS +COST$/);
    expect(first).toMatch(
      /^req_1 +2026-11-29 12:05 +Claude Code +claude-sonnet-5-5 +completed +1000 +900 +50 +4\.2 +\$0\.0013/,
    );
    expect(second).toMatch(/^req_2 .* upstream_overloaded +0 +0 +0 +4\.2 +unpriced$/);
    expect(note).toBe("There are more. --limit shows them.");
    expect(Object.fromEntries(new URL(control.calls[0]?.address ?? "", control.url).searchParams)).toEqual({
      limit: "20",
      q: "blue",
      client: "Claude Code",
      status: "failed",
      since: String(Date.UTC(2026, 10, 29)),
    });
  });

  it("say when none exist, and that the index is not complete", async () => {
    await using control = await startFakeControl(page([], { rebuilding: 40 }));
    expect((await control.run(["requests"])).out).toBe(
      "There are no such requests.\nThe index is being rebuilt, 40 %: there may be more.",
    );
  });

  it("can be shown one by one", async () => {
    await using control = await startFakeControl({
      "GET /control/requests/req_1": { body: { receipt, ...BARE } },
      "GET /control/requests/req_2": { body: { receipt: refused, ...BARE } },
    });
    const { out } = await control.run(["requests", "show", "req_1"]);
    expect(out).toMatch(/^Request +req_1$/m);
    expect(out).toMatch(/^Price +catalog, as of 2026-11-20$/m);
    expect(out).toMatch(/^ {2}cached_input +900, \$0\.00027$/m);
    const failed = (await control.run(["requests", "show", "req_2"])).out;
    expect(failed).toMatch(/^Error +OpenAI is overloaded\. Try again\.$/m);
    expect(failed).not.toContain("Price");
  });
});
