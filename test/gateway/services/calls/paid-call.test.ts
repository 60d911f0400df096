import { ConversationMemory } from "../../../../gateway/services/calls/conversation-memory.ts";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { Hold } from "../../../../gateway/core/money/hold.ts";
import { RunningCalls } from "../../../../gateway/services/calls/admission.ts";
import { ClientCancelled } from "../../../../gateway/services/calls/attempts.ts";
import { LocalRecipient } from "../../../../gateway/services/calls/local-recipient.ts";
import { PartClients } from "../../../../gateway/services/calls/part-clients.ts";
import { PaidCall, findMaxCost } from "../../../../gateway/services/calls/paid-call.ts";
import type { CallCost, CallInput, PaidCallDeps } from "../../../../gateway/services/calls/paid-call.ts";
import type { Candidate, ServedModel } from "../../../../gateway/services/models/served-model.ts";
import { Events } from "../../../../gateway/services/events.ts";
import { UpstreamFailure } from "../../../../gateway/upstream/failure.ts";
import { bareConnection, usualTimeLimits } from "../../../support/bare-connection.ts";

const price = { tiers: [{ above: 0, rates: { input: 1e9 } }], source: "s", as_of: "2026-11-20" };
const candidate: Candidate = { connection: bareConnection("openai"), upstreamModel: "m", price };
const local = { ...candidate, connection: { ...candidate.connection, origin: "http://127.0.0.1:9", from: "sandbox" } };
const model = { id: "m1", candidates: [candidate] } as unknown as ServedModel;

let log: string[] = [];
let receipts: Receipt[] = [];
let notes: unknown[] = [];
let requests: Record<string, unknown>[] = [];
let outcome: object = { status: 200, headers: {}, connectMs: 3 };
beforeEach(() => {
  [log, receipts, notes, requests] = [[], [], [], []];
  outcome = { status: 200, headers: {}, connectMs: 3 };
});

function createCall(
  change: { metered?: boolean; remaining?: number | null; refused?: boolean; known?: boolean; reaches?: boolean } = {},
  name: unknown = "asked",
) {
  const admission = {
    checkModel: () => {
      if (change.refused === true) throw new GatewayError("model_not_allowed", "no");
    },
    isMetered: (_key: unknown, sandbox: boolean) => (log.push(`metered ${sandbox}`), change.metered === true),
    remaining: (_key: unknown, sandbox: boolean) => (log.push(`remaining ${sandbox}`), change.remaining ?? null),
    checkReach: () => change.reaches === true,
    admit: (_key: unknown, nano: number, least: number, sandbox: boolean) => {
      log.push(`admit ${nano} ${least} ${sandbox}`);
      return { hold: new Hold(nano, []), leave: () => log.push("leave") };
    },
  };
  const deps = {
    store: {
      usage: {
        begin: () => log.push("begin"),
        settle: (receipt: Receipt) => Promise.resolve(void receipts.push(receipt)),
      },
    },
    clock: { now: () => 0, monotonic: () => 0 },
    events: new Events(),
    running: new RunningCalls(),
    memory: new ConversationMemory(),
    resolveModel: {
      known: () => (change.known === false ? undefined : model),
      find: () => Promise.resolve(model),
    },
    admission,
    timeLimits: usualTimeLimits,
    instanceId: "me",
    providerClient: {
      open: (request: Record<string, unknown>) => {
        requests.push(request);
        const response = outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
        return { response, abort: () => undefined };
      },
    },
    random: () => 0,
    stopping: new AbortController().signal,
    healthChanged: () => undefined,
    wait: () => Promise.resolve(),
  };
  const input = {
    requestId: "req_1",
    arrivedAt: 0,
    key: { record: { id: "key_1" } },
    app: "x",
    note: (...words: unknown[]) => void notes.push(words),
    noteProvider: (provider: string) => void log.push(`asked ${provider}`),
  };
  return new PaidCall(deps as unknown as PaidCallDeps, input as unknown as CallInput, "chat", name, false);
}
const sending = {
  wire: () => (log.push("wire"), { path: "/chat", method: "POST", headers: { a: "b" }, body: "{}" }) as never,
  unseen: () => ({ input: 5 }),
};
const client = new LocalRecipient(new AbortController().signal);
const pricing = (cost: CallCost) => ({ cost: vi.fn<(remaining: number) => CallCost>(() => cost), likely: () => ({}) });

describe("a paid call", () => {
  it.each<[unknown, string]>([
    ["a", "a"],
    ["x".repeat(201), "x".repeat(200)],
    [5, ""],
  ])("is noted with the model that was asked for: %j", (name, noted) => {
    expect([createCall({}, name).record.model, notes]).toEqual([noted, [[noted, null]]]);
  });

  it("has a model that its key may use, whose name it has where it is refused too", async () => {
    for (const known of [true, false]) {
      const call = createCall({ known });
      expect([await call.findModel("asked", "chat"), call.record.model]).toEqual([model, "m1"]);
      const refused = createCall({ known, refused: true });
      await expect((async () => await refused.findModel("asked", "chat"))()).rejects.toThrow("no");
      expect(refused.record.model).toBe("m1");
    }
  });

  it("costs what its pricing says of what remains, which is asked only where a limit applies", () => {
    const cost = pricing({ nano: 9, least: 4, open: true });
    createCall().admit(model, cost);
    expect([cost.cost.mock.calls, log]).toEqual([[], ["metered false", "admit 0 0 false"]]);
    createCall({ metered: true, remaining: 7 }).admit({ ...model, candidates: [local] } as never, cost);
    createCall({ metered: true }).hold(model, cost.cost, true);
    expect([cost.cost.mock.calls, log.filter((line) => line.startsWith("admit"))]).toEqual([
      [[7], [Infinity]],
      ["admit 0 0 false", "admit 9 4 true", "admit 9 4 true"],
    ]);
  });

  it("is quoted by the same figures, and nothing is held", () => {
    const cost = pricing({ nano: 9, least: 4, open: true });
    const quote = { model: "m1", nano: 9, least: 4, open: true, remaining: 7, sandbox: false };
    expect(createCall({ remaining: 7 }).quote(model, cost.cost)).toEqual(quote);
    const free = { ...model, candidates: [{ ...candidate, price: null }, candidate] };
    expect(createCall().quote(free, cost.cost)).toEqual({ ...quote, nano: null, remaining: null });
    expect([cost.cost.mock.calls, log.join().includes("admit")]).toEqual([[[7], [Infinity]], false]);
  });

  it("is noted as asked before its request is made, and counts its attempts at each model", async () => {
    const call = createCall();
    const opened = await call.createAttempts([candidate], client, { ...sending, stream: true }).next();
    expect(log).toEqual(["begin", "asked openai", "wire"]);
    const { origin, path, method, headers, headTimeout, gapTimeout, headLimit } = requests[0] ?? {};
    expect([origin, path, method, headers]).toEqual(["https://models.example.com", "/v1/chat", "POST", { a: "b" }]);
    expect([headTimeout, gapTimeout, headLimit]).toEqual([120_000, 300_000, "first_byte"]);
    call.createAttempts([candidate], client, sending).acceptResponse(opened);
    await call.createAttempts([local as Candidate], client, sending).next();
    expect(requests[1]).toMatchObject({
      headTimeout: 600_000,
      gapTimeout: 300_000,
      headLimit: "call",
      headers: { "x-postern-instance": "me" },
    });
    await call.fail(new GatewayError("upstream_error", "no"));
    expect(receipts[0]).toMatchObject({ attempts: 1, connect_ms: 3, connection: "c" });
  });

  it("goes to another model with the patience of its route", async () => {
    const call = createCall();
    expect(call.longest).toBeNull();
    call.switchModel(
      { ...model, id: "m2" },
      pricing({ nano: 1, least: 1, open: false }),
      { repeats: "others", asksRefused: false },
      50,
    );
    expect([call.longest, call.record.model, call.stopping]).toEqual([50, "m2", false]);
    outcome = { status: 500, headers: {}, connectMs: 3, collect: () => Promise.resolve(Buffer.from("{}")) };
    await expect(call.createAttempts([candidate], client, sending).next()).rejects.toThrow(/failed/);
    expect(requests).toHaveLength(1);
  });

  it("is an estimate where a field of it reaches further", async () => {
    for (const reaches of [false, true]) {
      const call = createCall({ reaches });
      call.checkFieldPermissions(candidate, "chat", {});
      call.record.markStarted(candidate);
      await call.record.settle({
        outcome: "completed",
        status: 200,
        code: null,
        units: { input: 1 },
        estimated: false,
      });
    }
    expect(receipts.map(({ estimated }) => estimated)).toEqual([false, true]);
  });
});

describe("a call that fails", () => {
  const refused = new GatewayError("insufficient_quota", "no");
  it.each<[string, Error, boolean, Partial<Receipt>]>([
    [
      "before anything was sent",
      refused,
      false,
      { outcome: "failed", status: 402, code: "insufficient_quota", nano: 0 },
    ],
    ["by a mistake of ours", new RangeError("x"), false, { outcome: "failed", status: 500, code: "internal_error" }],
    [
      "after it may have been executed",
      refused,
      true,
      { outcome: "unknown", status: 402, nano: 5_000, estimated: true },
    ],
    [
      "because its client left",
      new ClientCancelled(),
      true,
      { outcome: "cancelled", status: 499, code: "client_closed", nano: 5_000 },
    ],
    ["because its client left before", new ClientCancelled(), false, { outcome: "cancelled", status: 499, nano: 0 }],
  ])("%s has a receipt that says so", async (_what, error, executed, receipt) => {
    const call = createCall();
    outcome = new UpstreamFailure("broken", executed, "ECONNRESET");
    const attempts = call.createAttempts([candidate], client, sending, {
      repeats: "never",
      asksRefused: false,
    });
    await expect(attempts.next()).rejects.toThrow(Error);
    await call.fail(error);
    await call.fail(refused);
    expect(receipts).toHaveLength(1);
    expect(receipts[0]).toMatchObject(receipt);
  });

  it("after a response that came to nothing pays for it once, and for nothing where a record of its own has it", async () => {
    for (const { nano, ...sent } of [
      { ...sending, nano: 5_000 },
      { wire: sending.wire, nano: 0 },
    ]) {
      const call = createCall();
      const attempts = call.createAttempts([candidate], client, sent);
      attempts.acceptResponse(await attempts.next());
      call.billUnobserved();
      await call.fail(refused);
      expect(receipts.pop()).toMatchObject({ nano, outcome: nano === 0 ? "failed" : "unknown" });
    }
  });
});

it("may cost what it costs at the candidate where that is most", () => {
  const other = { ...candidate, price: null };
  expect(findMaxCost([candidate, other], (at) => (at === null ? 7 : 3))).toEqual({ nano: 7, least: 7, open: false });
  expect(findMaxCost([], () => 5).nano).toBe(0);
});

describe("requests that listen to one client", () => {
  it("are reported that it left, once each, and let go of it when they are over", () => {
    const leaving = new AbortController();
    const whole = new LocalRecipient(leaving.signal);
    const parts = new PartClients(whole);
    const [one, other] = [parts.add(), parts.add()];
    const reports: string[] = [];
    one.onCancelled(() => reports.push("one"));
    other.onCancelled(() => reports.push("other"));
    other.onCancelled(null);
    expect([parts.over, one.cancelled]).toEqual([false, false]);
    leaving.abort();
    expect([parts.over, one.cancelled, reports]).toEqual([true, true, ["one"]]);
    const late = new PartClients(new LocalRecipient(new AbortController().signal));
    const part = late.add();
    const release = vi.fn<() => void>();
    part.keep(release);
    late.end();
    late.end();
    part.onCancelled(() => reports.push("late"));
    expect([late.over, reports, release.mock.calls.length]).toEqual([true, ["one", "late"], 0]);
  });

  it("end when one of them has failed, and hear nothing of a client after their end", () => {
    const leaving = new AbortController();
    const parts = new PartClients(new LocalRecipient(leaving.signal));
    const reports: number[] = [];
    parts.add().onCancelled(() => reports.push(1));
    parts.end();
    parts.end();
    expect(reports).toEqual([1]);
    const others = new PartClients(new LocalRecipient(leaving.signal));
    others.add().onCancelled(() => reports.push(2));
    others.close();
    leaving.abort();
    expect(reports).not.toContain(2);
  });
});
