import { expect, it } from "vitest";
import type { GatewayEvent } from "../../../../gateway/contract/events.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { SettleUnfinished } from "../../../../gateway/services/calls/settle-unfinished.ts";
import type { SettleUnfinishedDeps } from "../../../../gateway/services/calls/settle-unfinished.ts";
import { Events } from "../../../../gateway/services/events.ts";

it("announces the receipts of calls that a kill left open to whoever listens", () => {
  const settled: Receipt[] = [];
  const call = {
    id: "req_1",
    key: "key_1",
    endpoint: "chat",
    model: "m",
    provider: "openai",
    connection: "c",
    client: "x",
  };
  const events = new Events();
  const heard: GatewayEvent[] = [];
  events.subscribe((event) => heard.push(event));
  const deps = {
    store: {
      unfinished: [{ ...call, at: 1, stream: false, sandbox: false, hold_nano: 5, session: "s", project: "shop" }],
      usage: { settle: (receipt: Receipt) => Promise.resolve(void settled.push(receipt)) },
    },
    clock: { now: () => 1_000 },
    notices: { add: () => undefined },
    events,
  };
  new SettleUnfinished(deps as unknown as SettleUnfinishedDeps).settle();
  expect(settled).toMatchObject([
    { id: "req_1", outcome: "unknown", code: "unknown_outcome", session: "s", project: "shop" },
  ]);
  expect(heard).toEqual([{ type: "request.settled", receipt: settled[0] }]);
});
