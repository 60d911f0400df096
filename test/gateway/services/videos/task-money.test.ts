import { expect, it } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { createLog } from "../../../../gateway/lib/log.ts";
import { Events } from "../../../../gateway/services/events.ts";
import { TaskRepository } from "../../../../gateway/store/tasks/task-repository.ts";
import { TaskMoney } from "../../../../gateway/services/videos/task-money.ts";
import { until } from "../../../support/running-gateway.ts";
import { TASK_AT, closedTask, taskReceipt } from "../../../support/tasks.ts";
import { open } from "../../store/fixtures.ts";
import { receiptIdsOn } from "../../store/receipts-on.ts";
import { SimFs } from "../../store/sim-fs.ts";

const DIR = "/data";
const MONTH_MS = 31 * 24 * 3_600_000;

/** A task whose receipt is to be booked, on a disk that may refuse. */
async function stage() {
  const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  const { store, clock } = await open({ dir: DIR, fs });
  const log = createLog(
    () => undefined,
    () => 0,
  );
  const events = new Events();
  const repository = new TaskRepository({
    dataDir: DIR,
    store,
    clock,
    log,
    events,
    notices: { add: () => undefined },
    fs,
  });
  const task = closedTask({ bill: { receipt: taskReceipt({ id: "req_task" }), counted: false } });
  await repository.create(task);
  const unused = (): never => {
    throw new Error("no hold is taken up here");
  };
  const money = new TaskMoney({
    store,
    repository,
    events,
    log,
    admission: { resume: unused } as never,
    keyRing: { get: unused } as never,
  });
  const receipts = async (): Promise<string[]> => (await receiptIdsOn(fs, DIR)).filter((id) => id === "req_task");
  return { fs, store, repository, task, money, receipts };
}

/** What makes the usage log forget which receipts it was handed: it remembers the newest ones of the newest month. */
const FORGETTING: readonly [string, readonly Receipt[]][] = [
  ["the wall clock was a month ahead before", [taskReceipt({ id: "req_later", key: "key_2", at: TASK_AT + MONTH_MS })]],
  [
    "hundreds of other receipts wait for the same disk",
    Array.from({ length: 600 }, (_, index) => taskReceipt({ id: `req_${index}`, key: "key_2" })),
  ],
];

it.each(FORGETTING)("a receipt that the disk refuses is booked once, though %s", async (name, others) => {
  const { fs, store, repository, task, money, receipts } = await stage();
  const settleOthers = (): void => {
    for (const other of others) void store.usage.settle(other);
  };
  if (name.includes("clock")) settleOthers();
  await store.usage.sync();
  fs.fault = { call: fs.calls, code: "EIO", calls: Number.MAX_SAFE_INTEGER };
  expect(await money.countReceipt(task, false)).toBe(false);
  if (!name.includes("clock")) settleOthers();
  expect(await money.countReceipt(task, true)).toBe(false);
  expect(await money.countReceipt(task, true)).toBe(false);
  fs.fault = null;
  await until(() => money.countReceipt(task, true));
  expect(await receipts()).toHaveLength(1);
  expect(store.document.spend.get("key_1")).toMatchObject({ total_nano: 500_000_000 });
  expect(repository.get(task.id)?.bill?.counted).toBe(true);
  await store.close();
});

it("a receipt that an earlier run had booked is not booked again", async () => {
  const { store, task, money, receipts } = await stage();
  await store.usage.settle(taskReceipt({ id: "req_task" }));
  expect(await money.countReceipt(task, true)).toBe(true);
  expect(await receipts()).toHaveLength(1);
  await store.close();
});
