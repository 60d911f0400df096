import { describe, expect, it } from "vitest";
import { startFakeControl, runWith } from "./fake-control.ts";
import { sampleBudget, sampleKey, sampleState, sampleTotals } from "./samples.ts";

const DAILY = {
  ...sampleBudget,
  scope: { kind: "project", name: "site" },
  reset: "daily",
  limit_usd: 5,
  spent_nano: 2_000_000_000,
  held_nano: 42_000_000,
  left_nano: 2_958_000_000,
  ends_at: Date.UTC(2026, 10, 24, 16, 20, 59),
} as const;
const MONTHLY = { ...sampleBudget, ends_at: Date.UTC(2026, 10, 3) };
const served = (...data: unknown[]) => ({
  "GET /control/budgets": { body: { data } },
  "POST /control/budgets": { body: DAILY },
  "POST /control/budgets/remove": { body: { ok: true } },
});

describe("budgets list", () => {
  it("has one row a budget, and when it ends at this pace", async () => {
    await using control = await startFakeControl(served(MONTHLY, DAILY, sampleBudget));
    const { code, out } = await control.run(["budgets", "list"]);
    expect({ code, lines: out.split("\n") }).toEqual({
      code: 0,
      lines: [
        "OF       NAME      RESET     SPENT    HELD    LEFT   LIMIT  AT THIS PACE",
        "app      claude-*  monthly  $12.40   $0.00  $47.60  $60.00  ends on the 3rd",
        "project  site      daily     $2.00  $0.042   $2.96   $5.00  ends at 16:20 UTC",
        "app      claude-*  monthly  $12.40   $0.00  $47.60  $60.00",
      ],
    });
    const json = await control.run(["budgets", "list", "--json"]);
    expect(JSON.parse(json.out)).toEqual({ data: [MONTHLY, DAILY, sampleBudget] });
  });

  it("says how to make one", async () => {
    const { out } = await runWith(served(), ["budgets", "list"]);
    expect(out).toContain("postern budgets set --app NAME");
  });
});

describe("budgets set", () => {
  it("makes one of a client or a project", async () => {
    await using control = await startFakeControl(served());
    const made = ["budgets", "set", "--limit-usd", "5", "--reset", "daily"];
    expect((await control.run([...made, "--project", "site"])).out).toContain("project  site");
    expect((await control.run([...made, "--client", "claude-*"])).code).toBe(0);
    expect(control.calls.map(({ body }) => body)).toEqual([
      { scope: { kind: "project", name: "site" }, limit_usd: 5, reset: "daily" },
      { scope: { kind: "client", name: "claude-*" }, limit_usd: 5, reset: "daily" },
    ]);
  });

  it.each([
    [["--limit-usd", "5", "--reset", "daily"], "Either --app or --project."],
    [["--app", "a", "--project", "b", "--limit-usd", "5", "--reset", "daily"], "Either --app or --project."],
    [["--app", "a", "--limit-usd", "5", "--reset", "never"], "--reset takes daily, monthly"],
    [["--app", "a", "--limit-usd", "much", "--reset", "daily"], "--limit-usd takes a number"],
    [["--app", "a", "--reset", "daily"], "--limit-usd"],
    [["--app", "a", "--limit-usd", "5"], "--reset"],
  ])("refuses %j", async (options, said) => {
    await using control = await startFakeControl(served());
    const ended = await control.run(["budgets", "set", ...options]);
    expect(ended.code).toBe(2);
    expect(ended.error).toContain(said);
    expect(control.calls).toEqual([]);
  });
});

describe("budgets remove", () => {
  const both = [sampleBudget, { ...sampleBudget, reset: "daily" }, DAILY] as const;

  it("takes away those of a scope, or the one of a period", async () => {
    await using control = await startFakeControl(served(...both));
    const removed = async (...options: string[]) => {
      control.calls.length = 0;
      const { out } = await control.run(["budgets", "remove", ...options]);
      return [out, control.calls.slice(1).map(({ body }) => (body as { reset: string }).reset)];
    };
    expect(await removed("--app", "claude-*")).toEqual([
      'The app "claude-*" has no budget any more.',
      ["monthly", "daily"],
    ]);
    expect(await removed("--app", "claude-*", "--reset", "daily")).toEqual([
      'The app "claude-*" has no daily budget any more.',
      ["daily"],
    ]);
  });

  it("fails with a sentence where none exists", async () => {
    const ended = await runWith(served(DAILY), ["budgets", "remove", "--project", "site", "--reset", "monthly"]);
    expect(ended).toMatchObject({
      code: 1,
      error: 'There is no monthly budget of the project "site". "postern budgets list" names them.',
    });
  });
});

describe("what ends at this pace", () => {
  it("is reported below the keys and below the usage of this month", async () => {
    const key = { ...sampleKey, limit_usd: 20, reset: "monthly", ends_at: Date.UTC(2026, 10, 22) };
    const usage = { since: "2026-11-01", until: "2026-11-20", total: sampleTotals, data: [] };
    const lastLine = async (...command: string[]) =>
      (
        await runWith(
          {
            "GET /control/keys": { body: { data: [key, sampleKey] } },
            "GET /control/usage": { body: usage },
            "GET /control/state": {
              body: { ...sampleState, monthly_budget_nano: 1e12, monthly_budget_ends_at: Date.UTC(2026, 10, 24) },
            },
          },
          [...command],
        )
      ).out
        .split("\n")
        .at(-1);
    expect(await lastLine("keys", "list")).toBe('At this pace the limit of the key "laptop" ends on the 22nd.');
    expect(await lastLine("usage")).toBe("At this pace the month's budget ends on the 24th.");
    expect(await lastLine("usage", "--since", "2026-11-01")).toContain("all");
  });
});
