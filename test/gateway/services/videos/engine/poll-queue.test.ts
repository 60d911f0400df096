import { describe, expect, it } from "vitest";
import { PollQueue } from "../../../../../gateway/services/videos/engine/poll-queue.ts";
import { SimulatedTime } from "../../webhooks/simulated-time.ts";

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A lane whose work takes until `end`; ids that begin with the same letter can be asked for together. */
function openLane(gap: number, most: number | null = null) {
  const time = new SimulatedTime(0);
  const begun: [number, string][] = [];
  const running: (() => void)[] = [];
  const start = time.monotonic();
  const lane = new PollQueue(
    {
      clock: time,
      later: time.later,
      work: (ids) => {
        begun.push([time.monotonic() - start, ids.join(" ")]);
        return new Promise((resolve) => running.push(resolve));
      },
      together: (id) => (most === null || id === "alone" ? null : { group: id.charAt(0), most }),
    },
    gap,
  );
  const end = async (): Promise<void> => {
    for (const resolve of running.splice(0)) resolve();
    await settle();
  };
  return { lane, begun, end, pass: (ms: number) => time.pass(ms, settle) };
}

describe("a lane", () => {
  it("lets work begin a gap after the one before, once for each id", async () => {
    const { lane, begun, pass } = openLane(100);
    for (const id of ["a", "b", "b", "c"]) lane.add(id);
    expect(begun).toEqual([[0, "a"]]);
    await pass(99);
    expect(begun).toHaveLength(1);
    await pass(1_000);
    expect(begun).toEqual([
      [0, "a"],
      [100, "b"],
      [200, "c"],
    ]);
    lane.add("d");
    expect(begun.at(-1)).toEqual([1_099, "d"]);
  });

  it("waits whole milliseconds", async () => {
    const { lane, begun, pass } = openLane(0.5);
    lane.add("a");
    lane.add("b");
    await pass(0.75);
    expect(begun).toHaveLength(1);
    await pass(0.25);
    expect(begun).toHaveLength(2);
  });

  it("has eight under way, and goes on when one ends", async () => {
    const { lane, begun, end } = openLane(0);
    for (let id = 0; id < 12; id += 1) lane.add(`${id}`);
    expect(begun).toHaveLength(8);
    await end();
    expect(begun).toHaveLength(12);
  });

  it.each([
    [null, ["a1", "a2", "b1", "a3", "a4"]],
    [1, ["a1", "a2", "b1", "a3", "a4"]],
    [3, ["a1", "a2 a3 a4", "b1"]],
    [2, ["a1", "a2 a3", "b1", "a4"]],
  ])("that may ask for %j together asks for %j", async (most, expected) => {
    const { lane, begun, pass } = openLane(10, most);
    for (const id of ["a1", "a2", "b1", "a3", "a4"]) lane.add(id);
    await pass(100);
    expect(begun.map(([, ids]) => ids)).toEqual(expected);
  });

  it("asks alone for what can only be asked for alone", async () => {
    const { lane, begun, pass } = openLane(10, 9);
    for (const id of ["x", "alone", "a1", "alone", "a2"]) lane.add(id);
    await pass(100);
    expect(begun.map(([, ids]) => ids)).toEqual(["x", "alone", "a1 a2"]);
  });

  it("that is stopped begins nothing more, and is idle when what runs has ended", async () => {
    const { lane, begun, end, pass } = openLane(10);
    lane.add("a");
    lane.add("b");
    let isIdle = false;
    const idle = lane.idle().then(() => (isIdle = true));
    lane.stop();
    await pass(100);
    expect([begun, isIdle]).toEqual([[[0, "a"]], false]);
    await end();
    await idle;
    expect(begun).toHaveLength(1);
    await lane.idle();
    // The timer is free again.
    lane.add("c");
    expect(begun).toHaveLength(2);
  });
});
