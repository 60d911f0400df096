import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { taskId } from "../../../support/tasks.ts";
import { reply, type WireAct } from "../../../support/wire-provider.ts";
import { START, WebhookWorld } from "./webhook-world.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

let world: WebhookWorld;
beforeEach(async () => {
  // Longer than any test here takes: what hangs ends only by what the test does.
  world = await WebhookWorld.open(300_000);
});
afterEach(() => world[Symbol.asyncDispose]());

const reset: WireAct = (_seen, outgoing) => void outgoing.socket?.resetAndDestroy();

describe("a kill", () => {
  it("between delivery and its record brings the same event again, with a new timestamp", async () => {
    world.receiver.on("POST /hook", reply(200, {}));
    world.deliver.start();
    const secret = await world.secret.current();
    world.end(1);
    world.repository.dead = true;
    const delivered = world.time.pass(0, async () => {});
    await expect.poll(() => world.receiver.seen.length).toBe(1);
    await delivered;
    world.time.jump(40 * SECOND);
    await world.kill();
    await world.pass(30 * SECOND);
    expect(world.delivery(1).state).toBe("delivered");
    const [first, second] = world.receiver.seen;
    if (first === undefined || second === undefined) throw new Error("there are not two requests");
    expect(world.receiver.seen).toHaveLength(2);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(first.headers["webhook-timestamp"]).toBe(String(START / SECOND));
    expect(second.headers["webhook-timestamp"]).toBe(String(START / SECOND + 40));
    for (const seen of [first, second]) await world.verified(seen, secret);
  });

  it("at 200 random moments loses no event and changes no id", async () => {
    const kinds = [reply(200, {}), reply(503, {}), reply(200, {}), reset];
    let requestCount = 0;
    world.receiver.on("POST /hook", (seen, outgoing) => kinds[(requestCount += 1) % kinds.length]?.(seen, outgoing));
    world.deliver.start();
    for (let round = 1; round <= 200; round += 1) {
      world.end(round);
      const ms = Math.floor(Math.random() * 4_000);
      // Sometimes everything under way is let come to its end, sometimes nothing, sometimes what happens to.
      if (round % 3 === 0) await world.pass(ms);
      else await world.time.pass(ms, () => new Promise((resolve) => setTimeout(resolve, round % 2)));
      await world.kill();
    }
    await world.pass(100 * HOUR);
    const states = [...world.repository.live()].map(({ deliveries }) => deliveries[0]?.state);
    expect(states).toEqual(Array.from({ length: 200 }, () => "delivered"));
    const events = new Map<unknown, Set<unknown>>();
    for (const { headers, json } of world.receiver.seen) {
      const { id } = (json as { data: { id: string } }).data;
      events.set(id, (events.get(id) ?? new Set()).add(headers["webhook-id"]));
    }
    expect(events.size).toBe(200);
    expect([...events.values()].every((ids) => ids.size === 1)).toBe(true);
  }, 120_000);

  it("while nothing is under way repeats nothing", async () => {
    world.receiver.on("POST /hook", reply(200, {}));
    world.deliver.start();
    world.end(1);
    await world.pass(SECOND);
    await world.kill();
    await world.pass(100 * HOUR);
    expect(world.receiver.seen).toHaveLength(1);
  });
});

it("a task that changes while its webhook is under way is no reason to make it twice", async () => {
  const pending: ServerResponse[] = [];
  world.receiver.on("POST /hook", (_seen, outgoing) => void pending.push(outgoing));
  world.deliver.start();
  const task = world.end(1);
  const running = world.time.pass(0, async () => {});
  await expect.poll(() => pending.length).toBe(1);
  await running;
  world.repository.put({ ...task, updated_at: START + 1 });
  await world.time.pass(30 * SECOND, () => new Promise((resolve) => setImmediate(resolve)));
  pending[0]?.writeHead(200).end();
  await world.pass(SECOND);
  expect(world.receiver.seen).toHaveLength(1);
  expect(world.delivery(1).attempts).toHaveLength(1);
});

describe("a disk that refuses", () => {
  it("keeps the outcome in memory: nothing is sent twice, and it is written when the disk takes it", async () => {
    world.receiver.on("POST /hook", reply(200, {}));
    world.deliver.start();
    world.repository.refusals = 3;
    world.end(1);
    const passing = (async () => {
      for (let step = 0; step < 60; step += 1) {
        await world.time.pass(SECOND, async () => {
          await new Promise((resolve) => setTimeout(resolve, 1));
        });
      }
    })();
    await expect.poll(() => world.repository.refusals).toBe(0);
    await passing;
    await world.pass(SECOND);
    expect(world.delivery(1).state).toBe("delivered");
    expect(world.delivery(1).attempts).toHaveLength(1);
    expect(world.receiver.seen).toHaveLength(1);
  });
});

it("lets attempts under way end when it stops, and cuts off those that hang, which are made again", async () => {
  world.receiver.on("POST /hook", () => {}).on("POST /quick", reply(200, {}));
  world.deliver.start();
  world.end(1);
  const running = world.time.pass(0, async () => {});
  await expect.poll(() => world.receiver.seen.length).toBe(1);
  await running;
  await world.deliver.stop();
  expect(world.delivery(1)).toMatchObject({ state: "pending", attempts: [] });
  world.receiver.on("POST /hook", reply(200, {}));
  await world.reopen();
  await world.pass(SECOND);
  expect(world.delivery(1).state).toBe("delivered");
});

it("begins nothing more while it stops, and writes what still comes", async () => {
  const pending: ServerResponse[] = [];
  world.receiver.on("POST /hook", (_seen, outgoing) => void pending.push(outgoing));
  world.deliver.start();
  for (const number of [1, 2, 3, 4]) world.end(number);
  const running = world.time.pass(0, async () => {});
  await expect.poll(() => pending.length).toBe(2);
  await running;
  const byHand = world.deliver.resend(taskId(4)).catch((error: unknown) => error);
  await new Promise((resolve) => setImmediate(resolve));
  const stopped = world.deliver.stop();
  for (const outgoing of pending) outgoing.writeHead(200).end();
  await stopped;
  expect(await byHand).toMatchObject({ code: "shutting_down" });
  expect(world.receiver.seen).toHaveLength(2);
  expect([1, 2, 3, 4].map((number) => world.delivery(number).state)).toEqual([
    "delivered",
    "delivered",
    "pending",
    "pending",
  ]);
});
