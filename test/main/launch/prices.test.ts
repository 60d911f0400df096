import { describe, expect, it } from "vitest";
import type { PriceChanges, PriceListView } from "../../../gateway/contract/price-list.ts";
import { startFakeControl, runWith } from "./fake-control.ts";

const AT = Date.UTC(2026, 10, 22, 8, 30);
const origin = { url: "https://models.dev/api.json", shape: "models.dev", fetched_at: AT } as const;

const view: PriceListView = {
  accepted: { ...origin, id: "aaaa", models: 3_100, fetched_at: AT - 86_400_000 },
  offered: {
    ...origin,
    id: "bbbb",
    models: 3_120,
    changes: { changed: 12, added: 20, removed: 0, unusual: 1, connected: 2 },
  },
  problem: null,
};

const changes: PriceChanges = {
  id: "bbbb",
  data: [
    {
      host: "api.openai.com",
      model: "gpt-4.1",
      kind: "changed",
      connected: true,
      unusual: true,
      rates: [
        { unit: "input", above: 0, old: 2_000_000_000, new: 37_500_000 },
        { unit: "input", above: 200_000, old: null, new: 4_000_000_000 },
        { unit: "request", above: 0, old: null, new: 5_000_000_000_000 },
      ],
    },
  ],
  total: 32,
};

describe("prices", () => {
  it("show what is in use, what is offered, and what that would change to the last digit", async () => {
    await using control = await startFakeControl({
      "GET /control/price-list": { body: view },
      "GET /control/price-list/changes": { body: changes },
    });
    const { code, out } = await control.run(["prices", "show", "--all", "--limit", "1"]);
    expect({ code, lines: out.split("\n") }).toEqual({
      code: 0,
      lines: [
        "In use   3100 prices from https://models.dev/api.json, fetched 2026-11-21 08:30 UTC",
        "Offered  3120 prices from https://models.dev/api.json, fetched 2026-11-22 08:30 UTC",
        "         12 changed (1 unusual), 20 new, 0 gone; 2 at your connections",
        '         "postern prices accept bbbb" bills calls by it from then on.',
        "",
        "HOST            MODEL    UNIT                  NOW     THEN  CHANGE",
        "api.openai.com  gpt-4.1  input               $2.00  $0.0375  changed, unusual",
        "api.openai.com  gpt-4.1  input above 200000      –    $4.00  changed, unusual",
        "api.openai.com  gpt-4.1  request                 –   $0.005  changed, unusual",
        "1 of 32 models. --limit shows more.",
      ],
    });
    expect(control.calls.map(({ address }) => address)).toContain("/control/price-list/changes?limit=1&all=true");
  });

  it("say that the catalog holds where no list does, and why none could be fetched", async () => {
    const problem = { at: AT, message: "The price list's URL answered with status 404." };
    const { out } = await runWith(
      {
        "POST /control/price-list/refresh": { body: { accepted: null, offered: null, problem } },
      },
      ["prices", "refresh"],
    );
    expect(out.split("\n")).toEqual([
      "In use   the catalog alone",
      "Problem  2026-11-22 08:30 UTC: The price list's URL answered with status 404.",
    ]);
  });

  it.each<[string[], string, object]>([
    [["accept", "bbbb"], "accept", { id: "bbbb", unusual: false }],
    [["accept", "bbbb", "--unusual"], "accept", { id: "bbbb", unusual: true }],
    [["drop"], "drop", { list: "accepted" }],
    [["drop", "--offered"], "drop", { list: "offered" }],
  ])("%j asks for just that", async (words, path, body) => {
    await using control = await startFakeControl({ [`POST /control/price-list/${path}`]: { body: view } });
    expect((await control.run(["prices", ...words])).code).toBe(0);
    expect(control.calls).toMatchObject([{ body }]);
  });

  it("are not accepted without being named", async () => {
    await using control = await startFakeControl({});
    expect((await control.run(["prices", "accept"])).code).toBe(2);
    expect(control.calls).toEqual([]);
  });
});
