import { describe, expect, it } from "vitest";
import { CODES, eachCall, failures } from "../../store/every-fault.ts";
import { seededRandom } from "../../store/fixtures.ts";
import type { Disk } from "../../store/sim-fs.ts";
import { SetupWorld, WHOLE } from "./setup-world.ts";

/** What a start on a disk finds. */
async function found(disk: Disk): Promise<unknown> {
  const world = await SetupWorld.start(disk);
  const read = world.setup.read();
  await world.store.close();
  return read;
}

async function used(): Promise<SetupWorld> {
  const world = await SetupWorld.start();
  await world.manageConnections.create({ provider: "openai", name: "OpenAI", keys: ["sk-own-openai-key-01"] });
  await world.manageModels.setAlias("quick", "gpt-5");
  await world.store.usage.sync();
  return world;
}

/** Does something, and gathers the disks that a kill and power cuts would leave at each of its steps. */
async function watched(world: SetupWorld, work: () => Promise<unknown>): Promise<Disk[]> {
  const random = seededRandom(7);
  const disks: Disk[] = [];
  world.fs.onStep = () => void disks.push(world.fs.afterKill(), ...world.fs.afterPowerCut(2, random));
  await work();
  world.fs.onStep = () => undefined;
  return disks;
}

describe("a process that ends in the middle", () => {
  it.each<[string, (world: SetupWorld) => Promise<unknown>, (world: SetupWorld) => Promise<unknown>]>([
    ["applying", async () => undefined, (world) => world.apply(WHOLE)],
    ["undoing", (world) => world.apply(WHOLE), (world) => world.undoNewest()],
    ["removing", (world) => world.apply(WHOLE), (world) => world.apply({ connections: [], keys: [] }, { prune: true })],
  ])("has done all or nothing of it: %s", async (_what, prepare, work) => {
    const world = await used();
    await prepare(world);
    const before = world.setup.read();
    const disks = await watched(world, () => work(world));
    const after = world.setup.read();
    expect(after).not.toEqual(before);
    expect(disks.length).toBeGreaterThan(3);
    const states = new Set([before, after].map((state) => JSON.stringify(state)));
    const seen = new Set<string>();
    for (const disk of disks) seen.add(JSON.stringify(await found(disk)));
    expect([...seen].filter((state) => !states.has(state))).toEqual([]);
    expect(JSON.stringify(await found(world.fs.afterKill()))).toBe(JSON.stringify(after));
  });
});

describe("a disk that fails", () => {
  it.each(CODES)("leaves everything as it was, in memory and after a start, or has all of it: %s", async (code) => {
    const calls = 30;
    const broken = await failures(eachCall(calls, code), async (fault) => {
      const world = await used();
      const before = JSON.stringify(world.setup.read());
      world.fs.fault = { ...fault, call: world.fs.calls + fault.call };
      const error = await world.apply(WHOLE).then(
        () => null,
        (thrown: unknown) => thrown as Error,
      );
      world.fs.fault = null;
      const now = JSON.stringify(world.setup.read());
      if (error === null) expect(now).not.toBe(before);
      else {
        expect(error.name).toBe("StoreWriteError");
        expect(now).toBe(before);
        expect(world.setup.list()).toEqual([]);
        // What was encrypted for it is not kept.
        expect(world.secrets.filter((secret) => secret !== "sk-own-openai-key-01")).toEqual([]);
      }
      expect(JSON.stringify(await found(world.fs.afterKill()))).toBe(now);
    });
    expect(broken).toEqual([]);
  });
});
