import { beforeEach, describe, expect, it, vi } from "vitest";
import type { GatewayEvent } from "../../../../gateway/contract/events.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { Hold, SpendingLimit } from "../../../../gateway/core/money/hold.ts";
import { NOBODY } from "../../../../gateway/core/sessions/identity.ts";
import { Admitted, RunningCalls } from "../../../../gateway/services/calls/admission.ts";
import { ConversationMemory } from "../../../../gateway/services/calls/conversation-memory.ts";
import { CallRecord, type CallRecordDeps } from "../../../../gateway/services/calls/call-record.ts";
import type { CallEnd, CallStart } from "../../../../gateway/services/calls/call-start.ts";
import { Events } from "../../../../gateway/services/events.ts";
import type { Candidate } from "../../../../gateway/services/models/served-model.ts";
import type { OpenBill, OpenCall } from "../../../../gateway/store/store.ts";
import { bareConnection } from "../../../support/bare-connection.ts";

const DONE: CallEnd = { outcome: "completed", status: 200, code: null, units: { input: 10 }, estimated: false };
const usd = (amount: number, source: string): Price => ({
  tiers: [{ above: 0, rates: { input: amount * 1e9 } }],
  source,
  as_of: "2026-11-20",
});
const cheap: Candidate = { connection: bareConnection("openai"), upstreamModel: "m", price: usd(1, "cheap") };
const dear: Candidate = { connection: bareConnection("xai"), upstreamModel: "m", price: usd(5, "dear") };
const unpriced: Candidate = { ...dear, price: null };
const sandbox: Candidate = { ...cheap, connection: { ...cheap.connection, from: "sandbox" } };

let now = 0;
let running: RunningCalls;
let events: Events;
const begin = vi.fn<(call: OpenCall, bill: () => OpenBill, unbilled: boolean) => void>();
const written = Promise.resolve();
const settle = vi.fn<(receipt: Receipt) => Promise<void>>(() => written);
const settled = vi.fn<(receipt: Receipt) => void>();
const leave = vi.fn<() => void>();
beforeEach(() => {
  vi.clearAllMocks();
  [now, running, events] = [100, new RunningCalls(), new Events()];
});

function createRecord(change: Partial<CallStart> = {}): CallRecord {
  const deps = {
    store: { usage: { begin, settle } },
    clock: { now: () => 5_000 + now, monotonic: () => now },
    memory: new ConversationMemory(),
  };
  return new CallRecord({ ...deps, events, running } as unknown as CallRecordDeps, {
    requestId: "req_1",
    arrivedAt: 100,
    keyId: "key_1",
    masks: null,
    endpoint: "chat",
    model: "asked",
    app: "curl",
    identity: NOBODY,
    stream: false,
    recorded: false,
    settled,
    ...change,
  });
}

/** Lets it in with a hold of a limit. */
function admit(record: CallRecord, hold: number, limit: number | null = 1_000_000): SpendingLimit {
  const spending = new SpendingLimit(
    () => limit,
    () => 0,
  );
  record.enter({ hold: new Hold(hold, [spending]), leave } as unknown as Admitted);
  record.setEstimator({ likely: () => ({ input: 3 }) });
  return spending;
}

const settleAndRead = async (record: CallRecord, end: Partial<CallEnd> = {}): Promise<Receipt> => {
  await record.settle({ ...DONE, ...end });
  return settle.mock.calls[0]?.[0] as Receipt;
};

describe("the times of a call", () => {
  it("are those of its last attempt, in tenths of a millisecond", async () => {
    const record = createRecord();
    record.markStarted(cheap);
    now = 120;
    record.countAttempt(1);
    record.setConnectMs(55);
    now = 150;
    record.countAttempt(2);
    record.setConnectMs(12.345);
    record.setConnectMs(99);
    now = 203.46;
    // A part of the same attempt.
    record.countAttempt(2);
    record.markFirstByte();
    expect(record.firstMs).toBeCloseTo(53.46);
    now = 301.04;
    record.markFirstByte();
    expect(await settleAndRead(record)).toMatchObject({
      at: 5_301.04,
      ms: 201,
      first_ms: 103.5,
      wait_ms: 50,
      connect_ms: 12.3,
      attempts: 2,
    });
  });

  it("forget the connection of an earlier attempt, and count attempts at other models", async () => {
    const record = createRecord();
    record.markStarted(cheap);
    record.countAttempt(1);
    record.setConnectMs(55);
    record.countAttempt(2);
    record.switchModel("other");
    expect(record.provider).toBe("");
    record.markStarted(dear);
    record.countAttempt(1);
    expect([record.model, record.provider, record.firstMs, record.hasFirstByte]).toEqual(["other", "xai", null, false]);
    expect(await settleAndRead(record)).toMatchObject({ attempts: 3, connect_ms: null, wait_ms: 0, first_ms: null });
  });

  it("are absent where no provider was asked, and the receipt names whom the call was meant for", async () => {
    const record = createRecord();
    record.setFirstCandidate(null);
    record.setFirstCandidate(cheap);
    record.setFirstCandidate(dear);
    expect(record.provider).toBe("");
    const receipt = await settleAndRead(record, { units: {}, code: "client_closed", status: 499, outcome: "failed" });
    expect(receipt).toMatchObject({ wait_ms: null, connect_ms: null, attempts: null, provider: "openai", nano: 0 });
    expect([receipt.outcome, receipt.connection]).toEqual(["cancelled", "c"]);
  });
});

describe("the money of a call", () => {
  it("is held for responses that were not seen, in addition to what is still to come, as far as there is money", () => {
    const record = createRecord();
    const limit = admit(record, 40_000, 70_000);
    expect([record.availableHold, limit.reserved]).toEqual([40_000, 40_000]);
    record.addUnobserved(cheap, { input: 20 });
    expect([record.availableHold, record.unobservedNano, limit.reserved]).toEqual([40_000, 20_000, 60_000]);
    record.addUnobserved(cheap, { input: 20 });
    expect([record.availableHold, record.unobservedNano, limit.reserved]).toEqual([30_000, 40_000, 70_000]);
    record.addUnobserved(cheap, { input: 200 });
    record.addUnobserved(unpriced, { input: 20 });
    expect([record.availableHold, record.unobservedNano, limit.reserved]).toEqual([0, 240_000, 70_000]);
    expect(createRecord().availableHold).toBe(0);
  });

  it.each<[string, Candidate[], number | null, string | null, boolean]>([
    ["nothing was unseen", [], 10_000, "cheap", false],
    ["an attempt at the same price was", [cheap], 12_000, "cheap", true],
    ["one at another price was", [dear], 20_000, "cheap", true],
    ["one without a price was", [unpriced], 10_000, "cheap", true],
    ["several were", [unpriced, dear, cheap], 22_000, "cheap", true],
  ])("is the sum of its parts, each at its own price, where %s", async (_what, others, nano, source, estimated) => {
    const record = createRecord();
    record.markStarted(cheap);
    expect(record.hasUnobserved).toBe(false);
    for (const other of others) record.addUnobserved(other, { input: 2 });
    expect(record.hasUnobserved).toBe(others.length > 0);
    const receipt = await settleAndRead(record);
    expect([receipt.nano, receipt.price?.source, receipt.estimated]).toEqual([nano, source, estimated]);
    const quantity = receipt.terms.reduce((sum, term) => sum + term.quantity, 0);
    expect(quantity).toBe(10 + 2 * others.length);
  });

  it("has the price of an unseen attempt where nothing else was billed, and none where none is known", async () => {
    const record = createRecord();
    record.markStarted(unpriced);
    record.addUnobserved(dear, [{ units: { input: 2 } }]);
    expect(await settleAndRead(record, { units: {} })).toMatchObject({ nano: 10_000, price: { source: "dear" } });
    const other = createRecord();
    other.markStarted(unpriced);
    other.addUnobserved({ ...unpriced }, { input: 2 });
    await other.settle(DONE);
    expect(settle.mock.calls[1]?.[0].nano).toBeNull();
  });

  it("is of whom it was charged to", async () => {
    const record = createRecord();
    record.markStarted(cheap);
    record.countAttempt(1);
    record.setBilledCandidate(dear);
    expect(await settleAndRead(record)).toMatchObject({ nano: 50_000, provider: "xai", attempts: 1 });
  });

  it.each<[Candidate, Candidate[], boolean]>([
    [sandbox, [], true],
    [sandbox, [sandbox], true],
    [sandbox, [sandbox, cheap], false],
    [cheap, [sandbox], false],
  ])("is the sandbox's only where no provider may bill a part of it", async (candidate, others, isSandbox) => {
    const record = createRecord();
    record.markStarted(candidate);
    for (const other of others) record.addUnobserved(other, {});
    expect((await settleAndRead(record)).sandbox).toBe(isSandbox);
  });

  it.each([
    [{ input: 1 }, true],
    [{}, false],
  ])("is an estimate where a provider does what its usage does not tell: %j", async (units, estimated) => {
    const record = createRecord();
    record.markStarted(cheap);
    record.mayCostMore = true;
    expect((await settleAndRead(record, { units })).estimated).toBe(estimated);
  });
});

describe("a call", () => {
  it("leaves one trace for each provider that is asked, unless a record of its own has it", () => {
    const record = createRecord({ stream: true, identity: { ...NOBODY, session: "s" } });
    admit(record, 7);
    record.setModel("m1");
    for (const candidate of [cheap, cheap, dear]) record.markStarted(candidate);
    createRecord({ recorded: true }).markStarted(cheap);
    expect(begin.mock.calls.map(([{ provider, model, at }, , unbilled]) => [provider, model, at, unbilled])).toEqual([
      ["openai", "m1", 5_100, false],
      ["xai", "m1", 5_100, false],
    ]);
    expect(begin.mock.calls[0]?.[0]).toMatchObject({ hold_nano: 7, stream: true, sandbox: false, session: "s" });
    expect(begin.mock.calls[0]?.[1]()).toMatchObject({ nano: 3_000, price: { source: "cheap" } });
    const local = createRecord();
    local.markStarted({ ...sandbox, connection: { ...sandbox.connection, origin: "http://127.0.0.1:9" } });
    const [call, bill, unbilled] = begin.mock.calls[2] ?? [];
    expect([call?.sandbox, call?.provider, call?.hold_nano, unbilled]).toEqual([true, "sandbox", 0, true]);
    expect(call).not.toHaveProperty("session");
    expect(bill?.()).toMatchObject({ nano: 0, terms: [] });
  });

  it("is settled once, in one step with its hold, and reported", async () => {
    const received: GatewayEvent[] = [];
    events.subscribe((event) => received.push(event));
    const record = createRecord();
    const limit = admit(record, 40_000);
    settle.mockImplementationOnce(() => (expect(limit.reserved).toBe(0), written));
    record.markStarted(cheap);
    const first = record.settle(DONE);
    expect(record.settle({ ...DONE, status: 500 })).toBe(first);
    await first;
    expect([settle, settled, leave].map((spy) => spy.mock.calls.length)).toEqual([1, 1, 1]);
    expect(running.list({}).total).toBe(0);
    const receipt = settle.mock.calls[0]?.[0];
    expect(received).toEqual([{ type: "request.settled", receipt }]);
    expect(settled).toHaveBeenCalledWith(receipt);
  });

  it("is settled when its receipt is written", async () => {
    const disk = Promise.withResolvers<void>();
    settle.mockReturnValueOnce(disk.promise);
    const ended = vi.fn<() => void>();
    const waited = createRecord().settle(DONE).then(ended);
    await written;
    expect(ended).not.toHaveBeenCalled();
    disk.resolve();
    await waited;
  });

  it("books nothing once its money was handed over", async () => {
    const record = createRecord();
    const limit = admit(record, 40_000);
    expect(record.handOver()?.amount).toBe(40_000);
    await record.settle(DONE);
    expect([settle.mock.calls.length, leave.mock.calls.length, limit.reserved]).toEqual([0, 1, 40_000]);
    expect(running.list({}).total).toBe(0);
    expect(createRecord().handOver()).toBeNull();
  });

  it("is shown while it runs, from its admission on", () => {
    const record = createRecord({ identity: { ...NOBODY, project: "shop" } });
    const readRunning = () => running.list({}).data[0];
    expect(readRunning()).toBeUndefined();
    now = 160;
    admit(record, 0);
    const before = { at: 5_100, provider: "", connection: "", sandbox: false, client: "curl", project: "shop" };
    expect(readRunning()).toMatchObject({ ...before, state: "waiting", characters: null });
    record.markStarted(sandbox);
    now = 170;
    record.markFirstByte(() => 12);
    const then = { at: 5_100, provider: "sandbox", connection: "c", sandbox: true };
    expect(readRunning()).toMatchObject({ ...then, state: "answering", characters: 12 });
    expect([record.project, createRecord().project, record.client]).toEqual(["shop", undefined, "curl"]);
  });

  it("reports its request only what is known", async () => {
    const plain = await settleAndRead(createRecord());
    for (const field of ["kinds", "route", "session", "context"]) expect(plain).not.toHaveProperty(field);
    const record = createRecord({ identity: { ...NOBODY, session: "s" } });
    record.markStarted(cheap);
    record.setRequestKinds(["background"]);
    record.setRoute({ name: "work" } as never);
    record.setContextParts({ system: 1, tools: 0, messages: 3 } as never);
    await record.settle(DONE);
    expect(settle.mock.calls[1]?.[0]).toMatchObject({ kinds: ["background"], route: { name: "work" }, session: "s" });
    expect(settle.mock.calls[1]?.[0].context).toBeDefined();
  });
});

it("a call that was let in leaves once", () => {
  const [flights, admission] = [{ leave: vi.fn<() => void>() }, { count: vi.fn<(by: number) => void>() }];
  const admitted = new Admitted(admission as never, { meter: { flights } } as never, new Hold(0, []));
  admitted.leave();
  admitted.leave();
  expect([flights.leave.mock.calls.length, admission.count.mock.calls]).toEqual([1, [[-1]]]);
});
