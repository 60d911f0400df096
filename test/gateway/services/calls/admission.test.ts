import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FieldRules } from "../../../../gateway/core/keys/key-reach.ts";
import { InFlight } from "../../../../gateway/core/keys/key-state.ts";
import { Hold, SpendingLimit } from "../../../../gateway/core/money/hold.ts";
import { Admission, RunningCalls, trafficTicker, type Admitted } from "../../../../gateway/services/calls/admission.ts";
import { Budget } from "../../../../gateway/services/budgets/budgets.ts";
import { Events } from "../../../../gateway/services/events.ts";
import type { RingKey } from "../../../../gateway/services/keys/key-ring.ts";
import type { ServedModel } from "../../../../gateway/services/models/served-model.ts";
import { bareConnection } from "../../../support/bare-connection.ts";

const NOW = Date.UTC(2026, 10, 28, 12);
const SCOPE = { client: "curl", project: "shop" } as never;
const candidate = { connection: bareConnection("openai"), upstreamModel: "m", price: { tiers: [] } };
const model = { id: "m1", spec: { aliases: ["alias"] }, candidates: [candidate] } as unknown as ServedModel;
const unpriced = { id: "m1", candidates: [candidate, { ...candidate, price: null }] } as unknown as ServedModel;

let world: { writable: boolean; month: number | null; spent: number; budgets: Budget[]; wait: number };
let counts: number[] = [];
let entered: number[] = [];
beforeEach(() => {
  world = { writable: true, month: null, spent: 0, budgets: [], wait: 0 };
  [counts, entered] = [[], []];
});

function createAdmission(): Admission {
  const months = [
    {
      period: "2026-11",
      get nano() {
        return world.spent;
      },
    },
  ];
  const store = {
    get writable() {
      return world.writable;
    },
    document: { spend: new Map([["*", { total_nano: 9e15, days: [], months }]]) },
  };
  return new Admission(
    store as never,
    { now: () => NOW, monotonic: () => 77 },
    {
      stored: {
        get monthly_budget_nano() {
          return world.month;
        },
      },
    } as never,
    { find: (name: string) => (name === "alias" ? model : undefined) } as never,
    { of: () => world.budgets } as never,
    (count) => void counts.push(count),
  );
}

function createKey(change: object = {}, limit: number | null = null): RingKey {
  const record = {
    id: "key_1",
    name: "laptop",
    models: null,
    rpm: 3,
    concurrency: null,
    limit_nano: limit,
    reset: "never",
  };
  const meter = {
    limit: new SpendingLimit(
      () => limit,
      () => 0,
    ),
    flights: new InFlight(),
    minuteWait: () => world.wait,
    enterMinute: (now: number) => void entered.push(now),
  };
  return { record: { ...record, ...change }, meter } as unknown as RingKey;
}

function createBudget(limit: number, spent = 0): Budget {
  const scope = { kind: "project", name: "shop" };
  const record = { id: "b", scope, limit_nano: limit, reset: "daily" };
  return new Budget(record as never, { spent: () => spent } as never, {
    now: () => NOW,
  });
}
const admit = (admission: Admission, key: RingKey, expected = 0, least = expected, sandbox = false): Admitted =>
  admission.admit(key, expected, least, sandbox, model, SCOPE);

describe("a call is let in", () => {
  it("once, counted until it leaves", () => {
    const [admission, key] = [createAdmission(), createKey()];
    const calls = [admit(admission, key), admit(admission, key)];
    expect([admission.inFlight, key.meter.flights.count, entered]).toEqual([2, 2, [77, 77]]);
    for (const call of [...calls, ...calls]) call.leave();
    expect([admission.inFlight, key.meter.flights.count, counts]).toEqual([0, 0, [1, 2, 1, 0]]);
  });

  it.each<[string, () => [RingKey, number], object]>([
    [
      "writes fail",
      () => ((world.writable = false), [createKey(), 0]),
      { code: "storage_unavailable", details: { retryAfter: 30 } },
    ],
    [
      "its minute is full",
      () => ((world.wait = 1.2), [createKey(), 0]),
      { code: "rate_limit_exceeded", details: { retryAfter: 1.2 } },
    ],
    [
      "its key runs as many",
      () => [createKey({ concurrency: 0 }), 0],
      { code: "concurrency_limit_exceeded", details: { retryAfter: 1 } },
    ],
    ["its key has too little", () => [createKey({}, 99), 100], { code: "insufficient_quota" }],
    ["the month has too little", () => ((world.month = 99), [createKey(), 100]), { code: "insufficient_quota" }],
    [
      "its budget has too little",
      () => ((world.budgets = [createBudget(99)]), [createKey(), 100]),
      { code: "insufficient_quota" },
    ],
  ])("but not where %s, and then takes no place", (_what, prepare, error) => {
    const admission = createAdmission();
    const [key, expected] = prepare();
    expect(() => admit(admission, key, expected)).toThrow(expect.objectContaining(error) as Error);
    expect([admission.inFlight, admission.heldNano, key.meter.flights.count, entered]).toEqual([0, 0, 0, []]);
  });

  it.each<[string, () => RingKey, string]>([
    [
      "its key",
      () => createKey({}, 5e8),
      'The key "laptop" has $0.50 left, and this call may cost $2.00. Raise its limit on the Keys page.',
    ],
    [
      "its key for a day",
      () => createKey({ reset: "daily" }, 5e8),
      "It starts anew at 2026-11-29T00:00:00.000Z; or raise its limit on the Keys page.",
    ],
    [
      "the month",
      () => ((world.month = 5e8), createKey()),
      "It starts anew at 2026-12-01T00:00:00.000Z; or raise it in the settings.",
    ],
    [
      "a budget",
      () => ((world.budgets = [createBudget(5e8)]), createKey()),
      'The daily budget of the project "shop" has $0.50 left, and this call may cost $2.00. It starts anew at 2026-11-29',
    ],
  ])("or learns what is left of %s and when to try again", (_what, prepare, message) => {
    const key = prepare();
    expect(() => admit(createAdmission(), key, 3e9, 2e9)).toThrow(message);
    expect(() => createAdmission().admit(key, 3e9, 2e9, false, unpriced, SCOPE)).toThrow(
      'this call needs $2.00, the default reserve because "m1" has no price. Set its price on the Models page',
    );
  });

  it("with what it wants or with what is left, of its key, of the month and of its budgets", () => {
    world = { ...world, month: 100, spent: 10, budgets: [createBudget(80)] };
    const [admission, key] = [createAdmission(), createKey({}, 85)];
    expect([admission.isMetered(key, false, SCOPE), admission.remaining(key, false, SCOPE)]).toEqual([true, 80]);
    expect(admit(admission, key, 120, 50).hold.amount).toBe(80);
    expect([admission.heldNano, admission.remaining(key, false, SCOPE), admission.budgetUsed(key, SCOPE)]).toEqual([
      80, 0, 10,
    ]);
    world.spent = 100;
    expect(admission.budgetUsed(key, SCOPE)).toBe(100);
    world.budgets = [createBudget(80, 100)];
    expect(admission.budgetUsed(key, SCOPE)).toBe(125);
    // Calls of the sandbox count for their key alone.
    expect(admission.remaining(key, true, SCOPE)).toBe(5);
    expect(admit(admission, key, 5, 5, true).hold.amount).toBe(5);
    expect(admission.heldNano).toBe(80);
  });

  it("without a look at money where no limit applies", () => {
    const [admission, free, limited] = [createAdmission(), createKey(), createKey({}, 0)];
    const look = (key: RingKey, sandbox: boolean) => admission.isMetered(key, sandbox, SCOPE);
    expect([look(free, false), look(free, true), look(limited, true)]).toEqual([false, false, true]);
    expect(admission.remaining(free, false, SCOPE)).toBeNull();
    world.month = 1;
    expect([look(free, false), look(free, true)]).toEqual([true, false]);
    world = { ...world, month: null, budgets: [createBudget(1)] };
    expect([look(free, false), look(free, true)]).toEqual([true, false]);
  });

  it("again after a restart, whatever its key may spend by then", () => {
    world = { ...world, month: 10, spent: 10 };
    const [admission, key] = [createAdmission(), createKey({}, 5)];
    expect(admission.resume(key, 50, false, SCOPE)).toBeInstanceOf(Hold);
    expect([key.meter.limit.reserved, admission.heldNano]).toEqual([50, 50]);
    admission.resume(undefined, 7, false, SCOPE);
    admission.resume(key, 9, true, SCOPE);
    expect([key.meter.limit.reserved, admission.heldNano]).toEqual([59, 57]);
  });
});

it.each([
  [null, true],
  [["m1"], true],
  [["al*"], true],
  [["other"], false],
  [[], false],
])("a key for %j may use a model by one of its names: %s", (models, allowed) => {
  const [admission, key] = [createAdmission(), createKey({ models })];
  const check = (): void => admission.checkModel(key, model);
  if (allowed) expect(check).not.toThrow();
  else expect(check).toThrow('The key "laptop" may not use the model "m1".');
  expect(admission.mayUse(key, ["m1", "alias"])).toBe(allowed);
});

it("a key may name in a field only models that it may use, by any of their names", () => {
  const [admission, key] = [createAdmission(), createKey({ models: ["m1"] })];
  const rules = new FieldRules({ model: ["models[]"] });
  expect(admission.checkReach(key, rules, { models: ["alias"] })).toBe(false);
  expect(() => admission.checkReach(key, rules, { models: ["other"] })).toThrow('the model "other"');
});

describe("the number of calls in flight", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is reported twice a second at most, the last figure always", () => {
    const events = new Events();
    const tell = trafficTicker(events);
    tell(9);
    expect(vi.getTimerCount()).toBe(0);
    const received: unknown[] = [];
    events.subscribe((event) => received.push(event));
    for (const count of [1, 2, 3]) tell(count);
    vi.advanceTimersByTime(499);
    expect(received).toEqual([]);
    vi.advanceTimersByTime(1);
    tell(4);
    vi.advanceTimersByTime(500);
    expect(received).toEqual([3, 4].map((in_flight) => ({ type: "traffic.changed", in_flight })));
  });
});

it("lists what runs by its age, and what began at the same time by its id", () => {
  const running = new RunningCalls();
  for (const [id, at] of [
    ["b", 1],
    ["a", 1],
    ["c", 2],
  ] as const)
    running.enter({ running: () => ({ id, at, client: "x", model: "m", provider: "p", endpoint: "chat" }) as never });
  expect(running.list({}).data.map(({ id }) => id)).toEqual(["c", "a", "b"]);
});
