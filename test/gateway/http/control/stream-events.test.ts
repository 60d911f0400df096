import { expect, it } from "vitest";
import type { GatewayEvent } from "../../../../gateway/contract/events.ts";
import type { McpCall } from "../../../../gateway/contract/mcp.ts";
import { receiptOf } from "../../../e2e/browser/receipts.ts";
import { newest, waitAfter } from "../../../../gateway/http/control/stream-events.ts";

function called(id: string, status: McpCall["status"]): GatewayEvent {
  const call: McpCall = {
    id,
    at: 1,
    tool: "chat",
    key: "key_1",
    client: "test",
    model: "m1",
    status,
    code: null,
    ms: null,
    nano: null,
    sandbox: false,
    progress: null,
  };
  return { type: "mcp.called", call };
}

it("reports each call that moved in a batch, in its newest state", () => {
  const batch = [called("a", "running"), called("b", "running"), called("a", "done"), called("c", "running")];
  expect(newest(batch)).toEqual([called("b", "running"), called("a", "done"), called("c", "running")]);
});

it("reports figures and lists once", () => {
  const batch: GatewayEvent[] = [
    { type: "traffic.changed", in_flight: 1 },
    { type: "keys.changed" },
    { type: "traffic.changed", in_flight: 2 },
    { type: "keys.changed" },
  ];
  expect(newest(batch)).toEqual([{ type: "traffic.changed", in_flight: 2 }, { type: "keys.changed" }]);
});

it("collects for longer the more requests settle, up to a second", () => {
  const settled = (count: number): GatewayEvent[] =>
    Array.from({ length: count }, (_, index) => ({ type: "request.settled", receipt: receiptOf(index) }));
  expect([0, 1, 2, 3, 10, 20, 2_000].map((count) => waitAfter(settled(count)))).toEqual([
    100, 100, 100, 150, 500, 1_000, 1_000,
  ]);
  expect(waitAfter([called("a", "running"), called("b", "running"), called("c", "running")])).toBe(100);
});
