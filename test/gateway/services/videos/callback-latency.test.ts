import { describe, expect, it } from "vitest";
import { publicId } from "../../../../gateway/core/tasks/task.ts";
import { dose } from "../../../support/dose.ts";
import type { Protocol } from "../../../support/video-provider.ts";
import { EngineWorld } from "./engine-world.ts";

/** How long after a provider's end the webhook leaves, in simulated time. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * `count` tasks are submitted within ten seconds and end between two moments after that.
 * @returns seconds from each provider's end to its webhook, the shortest first
 */
async function latencies(world: EngineWorld, count: number, from: number, to: number): Promise<number[]> {
  world.provider.plan = ["running"];
  const ends = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    const task = await world.submit();
    const wait = from + ((to - from) * ((index * 37) % count)) / count;
    world.time.later(wait, () => {
      world.provider.advance(task.operation?.id ?? "", "succeeded");
      ends.set(publicId(task), world.time.now());
    });
    await world.pass((10 * SECOND) / count);
  }
  await world.pass(to + 2 * MINUTE);
  expect(world.provider.complaints).toEqual([]);
  expect(world.calledAt.size).toBe(count);
  return [...ends].map(([id, at]) => ((world.calledAt.get(id) ?? Infinity) - at) / SECOND).toSorted((a, b) => a - b);
}

const p95 = (sorted: readonly number[]): number => sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Infinity;

describe("a webhook", () => {
  it.each<[Protocol, number]>([
    ["dashscope", 3],
    ["ark", 3],
    ["xai", 3],
    ["openai", 3],
    ["compatible", 3],
    ["dashscope", dose(30, 100)],
    ["ark", dose(30, 100)],
    ["xai", dose(8, 100)],
    ["openai", dose(8, 100)],
    ["compatible", dose(8, 100)],
  ])("leaves within 10 s of the provider's end (p95): %s, %i tasks of one account", async (protocol, count) => {
    await using world = await EngineWorld.open(protocol);
    const sorted = await latencies(world, count, 15 * SECOND, 2 * MINUTE);
    if (process.env["SHOW_LATENCIES"] !== undefined)
      console.info(protocol, count, "p95", p95(sorted), "max", sorted.at(-1), "questions", world.questions);
    expect(p95(sorted)).toBeLessThanOrEqual(10);
  });

  it.each<Protocol>(["dashscope", "ark", "xai", "openai", "compatible"])(
    "leaves within a minute of it after the first ten minutes: %s",
    async (protocol) => {
      await using world = await EngineWorld.open(protocol);
      const sorted = await latencies(world, 4, 11 * MINUTE, 20 * MINUTE);
      expect(sorted.at(-1)).toBeLessThanOrEqual(60);
    },
  );
});

it("a task without a webhook is asked for as its provider likes it", async () => {
  await using world = await EngineWorld.open("dashscope");
  world.provider.plan = ["running"];
  await world.submit({ webhook_url: null });
  await world.pass(10 * MINUTE);
  expect(world.questions).toBeLessThanOrEqual(50);
});

it("many tasks of one account are asked for in a few questions, where the provider can tell of several", async () => {
  await using world = await EngineWorld.open("ark");
  await latencies(world, 100, MINUTE, 2 * MINUTE);
  // Four a second at the most.
  expect(world.questions).toBeLessThanOrEqual(4 * 250);
  expect(world.provider.count("list")).toBeGreaterThan(world.provider.count("poll"));
});

describe("a question about several tasks", () => {
  const some = async (world: EngineWorld): Promise<void> => {
    world.provider.plan = ["running"];
    for (let index = 0; index < 10; index += 1) await world.submit();
    await world.pass(20 * SECOND);
    expect(world.provider.count("list")).toBeGreaterThan(0);
  };
  const allSucceed = async (world: EngineWorld): Promise<void> => {
    for (const { id } of world.provider.tasks) world.provider.advance(id, "succeeded");
    await world.pass(MINUTE);
  };

  it("that the server does not know is not asked again: each is asked for alone", async () => {
    await using world = await EngineWorld.open("ark");
    const refusal = { do: "answer", status: 404, body: { error: { code: "NotFound", message: "no" } } } as const;
    world.provider.fault("list", ...Array.from({ length: 100 }, () => refusal));
    await some(world);
    const requestCount = world.provider.count("list");
    await allSucceed(world);
    expect(world.calledAt.size).toBe(10);
    expect(world.provider.count("list")).toBe(requestCount);
  });

  it("whose answer does not hold a task leaves that to a question about it alone", async () => {
    await using world = await EngineWorld.open("ark");
    world.provider.pageSize = 1;
    await some(world);
    await allSucceed(world);
    expect(world.calledAt.size).toBe(10);
    expect(world.provider.count("poll")).toBeGreaterThan(0);
  });

  it.each([429, 500, 503])("that is answered %i is asked again, and nothing is lost", async (status) => {
    await using world = await EngineWorld.open("ark");
    const fault = { do: "answer", status, headers: { "retry-after": "1" } } as const;
    world.provider.fault("list", fault, fault, fault);
    await some(world);
    await allSucceed(world);
    expect(world.calledAt.size).toBe(10);
  });

  it("that breaks off is asked again", async () => {
    await using world = await EngineWorld.open("openai");
    world.provider.fault("list", { do: "cut", bytes: 100 }, { do: "drop" });
    await some(world);
    await allSucceed(world);
    expect(world.calledAt.size).toBe(10);
  });
});
