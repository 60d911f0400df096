import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../../gateway/lib/clock.ts";
import { taskRecord } from "../../../support/tasks.ts";
import { dropKey, open, putKey, receipt } from "../fixtures.ts";
import { SimFs } from "../sim-fs.ts";

let dir: string;

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "postern-store-"));
  dir = join(root, "made", "data");
  onTestFinished(() => rm(root, { recursive: true, force: true }));
});

describe("snapshots", () => {
  test("keep three generations and the journal back to the oldest", async () => {
    const { store } = await open({ dir });
    for (let round = 0; round < 6; round += 1) {
      await store.commit([putKey(`k${round}`)]);
      await store.snapshot();
    }
    const list = async () => (await readdir(dir)).filter((name) => /^(?:state|journal)\./.test(name)).toSorted();
    expect(await list()).toEqual(
      [
        "journal.10.ndjson",
        "journal.12.ndjson",
        "journal.14.ndjson",
        "state.13.ndjson",
        "state.11.ndjson",
        "state.9.ndjson",
      ].toSorted(),
    );
    // Those that were there at a start are among the three.
    const again = (await open({ dir })).store;
    await again.commit([putKey("k6")]);
    await again.snapshot();
    expect((await list()).filter((name) => name.startsWith("state."))).toEqual([
      "state.11.ndjson",
      "state.13.ndjson",
      "state.15.ndjson",
    ]);
  });

  test("are taken by themselves when much was written, and when time has passed", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const fs = new SimFs({ files: new Map(), folders: new Set(["/data"]) });
    const { store, clock } = await open({ dir: "/data", fs });
    const generations = (): number =>
      [...fs.afterKill().files.keys()].filter((path) => path.includes("/state.")).length;
    const turn = async (): Promise<void> => {
      for (let count = 0; count < 20; count += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    await store.snapshot();
    clock.passed += 5 * 60_000;
    await vi.advanceTimersByTimeAsync(1_000);
    await turn();
    expect(generations()).toBe(1);
    await store.usage.settle(receipt("r1"));
    await vi.advanceTimersByTimeAsync(1_000);
    await turn();
    expect(generations()).toBe(2);
    await store.commit([{ op: "put", in: "tasks", record: taskRecord({ native: "x".repeat(4 * 1024 * 1024) }) }]);
    await vi.advanceTimersByTimeAsync(1_000);
    await turn();
    expect(generations()).toBe(3);
    // The journal has a new file by now: nothing is due before it is as long again.
    const names = [...fs.afterKill().files.keys()];
    await vi.advanceTimersByTimeAsync(3_000);
    await turn();
    expect([...fs.afterKill().files.keys()]).toEqual(names);
    await store.close();
  });

  test("hold what changes while they are written in one form or the other, and a restart has the newer", async () => {
    const { store } = await open({ dir, clock: systemClock });
    const ids = Array.from({ length: 5_000 }, (_, index) => `k${index}`);
    await store.commit(ids.map((id) => putKey(id)));
    const writing = store.snapshot();
    await Promise.all([
      ...ids.filter((_, index) => index % 50 === 0).map((id) => store.commit([putKey(id, "changed")])),
      ...ids.filter((_, index) => index % 50 === 1).map((id) => store.commit([dropKey(id)])),
    ]);
    await writing;
    const again = (await open({ dir })).store;
    expect(again.document.keys).toEqual(store.document.keys);
    expect(again.document.keys.get("k50")?.name).toBe("changed");
    expect(again.document.keys.has("k51")).toBe(false);
  });
});
