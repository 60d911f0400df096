import { expect, it } from "vitest";
import type { GatewayEvent } from "../../../../gateway/contract/events.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { SettleUnfinished, type SettleUnfinishedDeps } from "../../../../gateway/services/calls/settle-unfinished.ts";
import { Events } from "../../../../gateway/services/events.ts";

const call = {
  id: "req_1",
  key: "key_1",
  endpoint: "chat",
  model: "m",
  provider: "openai",
  connection: "c",
  client: "x",
};
const open = { ...call, at: 1, stream: false, sandbox: false, hold_nano: 5, session: "s", project: "shop" };
const along = { kinds: ["tools"], route: { name: "work", rule: 2, passed: [{ model: "n", reason: "failed" }] } };

function settle(unfinished: readonly object[], subscribe = true) {
  const settled: Receipt[] = [];
  const heard: GatewayEvent[] = [];
  const notices: string[] = [];
  const events = new Events();
  if (subscribe) events.subscribe((event) => heard.push(event));
  const deps = {
    store: { unfinished, usage: { settle: (receipt: Receipt) => Promise.resolve(void settled.push(receipt)) } },
    clock: { now: () => 1_000 },
    notices: { add: (level: string, text: string) => void notices.push(`${level} ${text}`) },
    events,
  };
  new SettleUnfinished(deps as unknown as SettleUnfinishedDeps).settle();
  return { settled, heard, notices };
}

it("announces the receipts of calls that a kill left open to all listeners", () => {
  const { settled, heard } = settle([{ ...open, ...along }]);
  const unknown = { status: 0, outcome: "unknown", code: "unknown_outcome", estimated: true, ms: 0, first_ms: null };
  expect(settled).toMatchObject([
    { ...call, ...along, ...unknown, at: 1_000, session: "s", project: "shop", nano: null, terms: [] },
  ]);
  expect(heard).toEqual([{ type: "request.settled", receipt: settled[0] }]);
  const bill = { terms: [], nano: 7, price: null };
  expect(settle([{ ...open, bill }], false)).toMatchObject({ settled: [bill], heard: [] });
});

it("tells the owner how many calls a provider may have billed", () => {
  expect(settle([]).notices).toEqual([]);
  expect(settle([{ ...open, sandbox: true }]).notices).toEqual([]);
  expect(settle([open, { ...open, sandbox: true }]).notices[0]).toMatch(
    /^info One call was .* billed it; here it is listed/,
  );
  expect(settle([open, open]).notices[0]).toMatch(/^info 2 calls were .* billed them; here they are listed/);
});
