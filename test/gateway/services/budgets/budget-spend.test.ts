import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { matchesGlob } from "../../../../gateway/core/glob.ts";
import { matchesApp } from "../../../../gateway/core/keys/client-name.ts";
import { Budgets } from "../../../../gateway/services/budgets/budgets.ts";
import type { StoredBudget } from "../../../../gateway/store/document.ts";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import { FixedClock, open, receipt } from "../../store/fixtures.ts";
import { SimFs } from "../../store/sim-fs.ts";

/** What budgets have spent, after any calls, midnights, kills and snapshots, is what receipts say. */

const DIR = "/data";
/** A day before a month ends. */
const EVE = Date.UTC(2026, 10, 29, 23, 59);
const emptyFs = (): SimFs => new SimFs({ files: new Map(), folders: new Set([DIR]) });

const budget = (kind: StoredBudget["scope"]["kind"], name: string, reset: StoredBudget["reset"]): StoredBudget => ({
  id: `${reset}|${kind}|${name}`,
  scope: { kind, name },
  reset,
  limit_nano: 1_000,
  created_at: EVE,
});

/** Summed from scratch. */
function plainSpend({ scope, reset }: StoredBudget, receipts: readonly Receipt[], now: number): number {
  const length = reset === "daily" ? "YYYY-MM-DD".length : "YYYY-MM".length;
  const periodOf = (at: number): string => new Date(at).toISOString().slice(0, length);
  return receipts
    .filter((one) => !one.sandbox && periodOf(one.at) === periodOf(now))
    .filter((one) =>
      scope.kind === "client"
        ? matchesApp(scope.name, one.client)
        : one.project !== undefined && matchesGlob(scope.name, one.project),
    )
    .reduce((sum, { nano }) => sum + (nano ?? 0), 0);
}

/** The services on one disk. */
async function stage() {
  const clock = new FixedClock();
  clock.at = EVE;
  let fs = emptyFs();
  let { store } = await open({ dir: DIR, fs, clock });
  let budgets = new Budgets(store, clock);
  return {
    clock,
    get store(): OpenedStore {
      return store;
    },
    get budgets(): Budgets {
      return budgets;
    },
    async restart(): Promise<void> {
      fs = new SimFs(fs.afterKill());
      ({ store } = await open({ dir: DIR, fs, clock }));
      budgets = new Budgets(store, clock);
    },
    async put(record: StoredBudget): Promise<void> {
      await store.commit([{ op: "put", in: "budgets", record }]);
      budgets.reload();
    },
    async remove({ id }: StoredBudget): Promise<void> {
      await store.commit([{ op: "delete", in: "budgets", id }]);
      budgets.reload();
    },
  };
}

const BUDGETS = [
  budget("client", "curl", "daily"),
  budget("client", "c*", "monthly"),
  budget("client", "Claude Code", "daily"),
  budget("client", "claude-*", "monthly"),
  budget("client", "*", "daily"),
  budget("project", "site", "monthly"),
  budget("project", "*", "daily"),
];
const anyBudget = fc.constantFrom(...BUDGETS);
const call = fc.record({
  do: fc.constant("call" as const),
  /** Minutes from the clock: a task may end a call of yesterday, a clock may have run ahead. */
  minutes: fc.constantFrom(0, 0, 0, -2, -90, -60 * 24 * 32, 60 * 24),
  client: fc.constantFrom("curl", "claude-cli", "zed"),
  project: fc.constantFrom("site", "other", undefined),
  key: fc.constantFrom("k1", "k2"),
  model: fc.constantFrom("m1", "m2"),
  nano: fc.option(fc.nat(10_000_000_000)),
  sandbox: fc.boolean(),
});
const step = fc.oneof(
  { weight: 6, arbitrary: call },
  { weight: 2, arbitrary: fc.constant({ do: "look" as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), minutes: fc.constantFrom(1, 60, 1_440, -5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("put" as const), budget: anyBudget }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), budget: anyBudget }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const), saved: fc.boolean() }) },
);

test("is what the receipts of the period say, also of before it was set, over any midnights and kills", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const world = await stage();
      const receipts: Receipt[] = [];
      const look = (): void => {
        for (const one of world.budgets.list())
          expect(`${one.record.id} ${one.spent}`).toBe(
            `${one.record.id} ${plainSpend(one.record, receipts, world.clock.at)}`,
          );
      };
      for (const [index, one] of steps.entries()) {
        if (one.do === "look") look();
        else if (one.do === "wait") world.clock.at += one.minutes * 60_000;
        else if (one.do === "put") await world.put(one.budget);
        else if (one.do === "remove") await world.remove(one.budget);
        else if (one.do === "restart") {
          await (one.saved ? world.store.snapshot() : world.store.usage.sync());
          await world.restart();
        } else {
          const { minutes, project, do: _, ...change } = one;
          const at = world.clock.at + minutes * 60_000;
          const reported = project === undefined ? {} : { project };
          const settled = receipt(`r${index}`, { at, ...change, ...reported });
          receipts.push(settled);
          await world.store.usage.settle(settled);
        }
      }
      look();
    }),
    { numRuns: 300 },
  );
});

test("is notified of clients and projects of which there are more in a day than have rows of their own", async () => {
  const many = fc.array(
    fc.record({ client: fc.nat(170), project: fc.nat(170), kill: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 2) }),
    { minLength: 150, maxLength: 260 },
  );
  await fc.assert(
    fc.asyncProperty(many, async (calls) => {
      const world = await stage();
      const receipts: Receipt[] = [];
      const stored = [
        budget("client", "client-160", "daily"),
        budget("client", "client-16?", "monthly"),
        budget("client", "*", "daily"),
        budget("project", "project-160", "daily"),
        budget("project", "*", "monthly"),
      ];
      for (const one of stored) await world.put(one);
      for (const [index, { client, project, kill }] of calls.entries()) {
        const settled = receipt(`r${index}`, {
          at: world.clock.at,
          client: `client-${client}`,
          project: `project-${project}`,
          nano: 7,
        });
        receipts.push(settled);
        await world.store.usage.settle(settled);
        if (kill === 0 || index % 20 !== 0) continue;
        await (kill === 1 ? world.store.snapshot() : world.store.usage.sync());
        await world.restart();
      }
      await world.store.usage.sync();
      const before = world.budgets.list().map((one) => one.spent);
      await world.restart();
      const plain = stored.map((one) => plainSpend(one, receipts, world.clock.at));
      expect([before, world.budgets.list().map((one) => one.spent)]).toEqual([plain, plain]);
    }),
    { numRuns: 15 },
  );
});

test("costs calls nothing where none exists", async () => {
  const { store, budgets } = await stage();
  const scope = {
    get client(): string {
      throw new Error("looked at");
    },
  };
  expect(budgets.of(scope)).toHaveLength(0);
  expect(budgets.of(scope)).toBe(budgets.of(scope));
  await store.usage.settle(receipt("r1"));
});
