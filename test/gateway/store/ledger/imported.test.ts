import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HistoryFold } from "../../../../gateway/core/history/fold-history.ts";
import type { HistoryBatch, HistoryEntry } from "../../../../gateway/core/history/history-entry.ts";
import { HourSums } from "../../../../gateway/core/usage/hour-sums.ts";
import { HOUR_MS } from "../../../../gateway/core/usage/usage-period.ts";
import { SUMS } from "../../../../gateway/core/usage/usage-totals.ts";
import { HistoryLog } from "../../../../gateway/store/history/history-log.ts";
import { ImportedUsage } from "../../../../gateway/store/history/imported-usage.ts";
import { anyEntry } from "./any-entry.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { NOON, seededRandom } from "../fixtures.ts";
import { LocalLedger } from "./local-ledger.ts";

let dir = "";
let ledger: LocalLedger;
beforeEach(async () => {
  dir = await temporaryFolder();
  ledger = new LocalLedger(dir);
});
afterEach(async () => {
  await ledger.close();
  await rm(dir, { recursive: true, force: true });
});

const log = (): string => join(dir, "history", "imported.ndjson");

async function expectTruth(history: HistoryLog, entries: readonly HistoryEntry[], request: LocalLedger | null) {
  const imported = new ImportedUsage({ history, ledger: request, log: () => undefined });
  const fold = new HistoryFold();
  fold.add(entries);
  const counted = [...fold.entries()].toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
  const own = counted.filter(({ postern }) => !postern);
  for (const model of [undefined, "gpt-5"]) {
    const [from, to] = [Math.floor((NOON + 1e8) / HOUR_MS) * HOUR_MS, NOON + 4e8];
    const question = { from, to, by: "model" as const, sums: SUMS, search: { model }, ids: {}, prices: {} };
    const hours = new HourSums(await imported.sumHours(question), "model");
    const within = own.filter((one) => one.at >= from && one.at < to && one.model === (model ?? one.model));
    expect(hours.total()).toMatchObject({
      requests: within.length,
      unpriced_requests: within.length,
      output_tokens: within.reduce((sum, { tokens }) => sum + tokens[4] + tokens[5], 0),
    });
  }
  const passed: unknown[] = [];
  for await (const some of imported.pass({ from: NOON, to: NOON + 5e8, search: {}, ids: {} })) passed.push(...some);
  expect(passed).toEqual(own.filter(({ at }) => at < NOON + 5e8));
  const { agents, first } = await imported.view();
  const known = Object.fromEntries(agents.map(({ agent, requests, sessions }) => [agent, [requests, sessions]]));
  const groups = Object.groupBy(counted, ({ agent }) => agent);
  const expected = Object.entries(groups).map(([agent, all]) => [
    agent,
    [all.length, new Set(all.map(({ session }) => session)).size],
  ]);
  expect(known).toEqual(Object.fromEntries(expected));
  expect(first).toBe(counted[0]?.at ?? null);
}

test("any entries, in any batches, count as a plain fold counts them, over kills and damage", async () => {
  const random = seededRandom(2);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyEntry, { maxLength: 30 }), { minLength: 1, maxLength: 4 }),
      async (batches) => {
        await rm(join(dir, "history"), { recursive: true, force: true });
        await ledger.close();
        await rm(join(dir, "index.sqlite"), { force: true });
        ledger = new LocalLedger(dir);
        let history = new HistoryLog({ dir, readOnly: false });
        let damaged = 0;
        for (const [number, entries] of batches.entries()) {
          const batch: HistoryBatch = {
            agent: "codex",
            file: "/log",
            from: number,
            to: number + 1,
            tail: "abc",
            state: null,
            entries: entries.map((entry) => ({ ...entry, agent: "codex" })),
          };
          await history.add(batch);
          await history.sync();
          if (random() < 0.3) {
            await history.close();
            await appendFile(log(), "no line\n");
            history = new HistoryLog({ dir, readOnly: false });
            damaged += 1;
          }
          if (random() < 0.3) {
            await ledger.close();
            if (random() < 0.5) await writeFile(join(dir, "index.sqlite"), "x".repeat(9_000));
            ledger = new LocalLedger(dir);
          }
          const all = batches.slice(0, number + 1).flat();
          const own = all.map((entry): HistoryEntry => ({ ...entry, agent: "codex" }));
          await expectTruth(history, own, ledger);
          expect((await new ImportedUsage({ history, ledger, log: () => undefined }).view()).damaged).toBe(damaged);
          if (number === batches.length - 1) await expectTruth(history, own, null);
        }
        await history.close();
      },
    ),
    { numRuns: 20 },
  );
}, 300_000);

test("removing everything leaves nothing, and the table of earlier versions goes where there is a backup", async () => {
  const history = new HistoryLog({ dir, readOnly: false });
  const [entry] = fc.sample(anyEntry, { numRuns: 1, seed: 3 });
  const entries = entry === undefined ? [] : [{ ...entry, agent: "codex" as const }];
  await history.add({ agent: "codex", file: "/log", from: 0, to: 9, tail: "abc", state: null, entries });
  await mkdir(join(dir, "backups", "2026-11-20"), { recursive: true });
  await writeFile(join(dir, "history", "imported.table"), "table");
  const imported = new ImportedUsage({ history, ledger, log: () => undefined });
  expect((await imported.view()).agents).toHaveLength(1);
  const remove = (): Promise<string> =>
    rm(join(dir, "history", "imported.table")).then(
      () => "there",
      () => "gone",
    );
  await expect.poll(remove).toBe("gone");
  await history.clear();
  expect(await imported.view()).toEqual({ agents: [], models: [], first: null, damaged: 0 });
  await history.close();
});
