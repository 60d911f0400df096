import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reply } from "../../../support/wire-provider.ts";
import { START, WebhookWorld } from "./webhook-world.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** docs/webhooks.md */
const PAUSES = [0, 5 * SECOND, 300 * SECOND, HOUR / 2, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

let world: WebhookWorld;
beforeEach(async () => {
  world = await WebhookWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

/** Unix milliseconds of each request, by its own header. */
const moments = (): number[] => world.receiver.seen.map(({ headers }) => Number(headers["webhook-timestamp"]) * SECOND);

function expectSchedule(slack = 2 * SECOND): void {
  const at = moments();
  expect(at).toHaveLength(10);
  for (const [index, pause] of PAUSES.entries()) {
    const gap = (at[index] ?? Number.NaN) - (index === 0 ? START : (at[index - 1] ?? Number.NaN));
    expect(gap, `before attempt ${index + 1}`).toBeGreaterThanOrEqual(pause * 0.8 - SECOND);
    expect(gap, `before attempt ${index + 1}`).toBeLessThanOrEqual(pause * 1.2 + slack);
  }
}

describe("a receiver that fails for three days", () => {
  it("is tried ten times by the schedule, each attempt signed for its own moment, then never again", async () => {
    world.receiver.on("POST /hook", reply(503, {}));
    world.deliver.start();
    world.end(1);
    const secret = await world.secret.current();
    await world.pass(100 * HOUR);
    expectSchedule();
    expect(world.delivery(1)).toMatchObject({ state: "failed", next_at: null });
    expect(world.delivery(1).attempts.map(({ status, manual }) => [status, manual])).toEqual(
      Array.from({ length: 10 }, () => [503, false]),
    );
    const links = new Set<unknown>();
    for (const [index, seen] of world.receiver.seen.entries()) {
      const event = await world.verified(seen, secret, moments()[index]);
      expect(event).toMatchObject({ type: "video.task.succeeded", timestamp: new Date(START).toISOString() });
      links.add((event["data"] as { content: { local_url: string } }).content.local_url);
    }
    expect(new Set(world.receiver.seen.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set(["msg_1"]));
    expect(links.size).toBe(10);
    expect(world.notices).toHaveLength(1);
    expect(world.notices[0]).toContain("failed for three days");
    await world.pass(100 * HOUR);
    expect(world.receiver.seen).toHaveLength(10);
  });

  it("is tried as often and at the same times when Postern is restarted in between", async () => {
    world.receiver.on("POST /hook", reply(503, {}));
    world.deliver.start();
    world.end(1);
    // Before most attempts, and several times in the long pauses.
    for (const hours of [0.001, 0.01, 0.2, 1, 2, 4, 5, 8, 10, 12, 14, 20]) {
      await world.pass(hours * HOUR);
      await world.restart();
    }
    await world.pass(60 * HOUR);
    expectSchedule();
    expect(world.delivery(1).state).toBe("failed");
  });

  it("is tried within a day or so again when the clock was years ahead, also by the next start", async () => {
    const years = 40 * 365 * 24 * HOUR;
    world.receiver.on("POST /hook", reply(503, {}));
    world.deliver.start();
    world.time.jump(years);
    world.end(1);
    await world.pass(HOUR);
    const before = world.receiver.seen.length;
    expect(before).toBeGreaterThan(3);
    world.time.jump(-years);
    await world.restart();
    await world.pass(30 * HOUR);
    expect(world.receiver.seen.length).toBeGreaterThan(before);
  });

  it("is reported once, however many tasks wait for it", async () => {
    world.receiver.on("POST /hook", reply(500, {}));
    world.deliver.start();
    for (let number = 1; number <= 5; number += 1) world.end(number);
    await world.pass(96 * HOUR);
    expect(world.delivery(5).state).toBe("failed");
    expect(world.notices).toHaveLength(1);
  });

  it("is delivered to once it is there again", async () => {
    world.receiver.on("POST /hook", reply(502, {}), reply(502, {}), reply(502, {}), reply(200, {}));
    world.deliver.start();
    world.end(1);
    await world.pass(3 * HOUR);
    expect(world.delivery(1)).toMatchObject({ state: "delivered", next_at: null });
    expect(world.delivery(1).attempts.map(({ error }) => error)).toEqual([
      "The receiver responded with 502.",
      "The receiver responded with 502.",
      "The receiver responded with 502.",
      null,
    ]);
    await world.pass(100 * HOUR);
    expect(world.receiver.seen).toHaveLength(4);
  });
});

describe("Retry-After", () => {
  it("puts the next attempt off, over a restart too", async () => {
    world.receiver.on("POST /hook", reply(429, {}, { "retry-after": "3600" }), reply(200, {}));
    world.deliver.start();
    world.end(1);
    await world.pass(SECOND);
    await world.restart();
    await world.pass(HOUR - 2 * SECOND);
    expect(world.receiver.seen).toHaveLength(1);
    await world.pass(2 * SECOND);
    expect(world.delivery(1).state).toBe("delivered");
  });

  it("may be a date, and no more than a day", async () => {
    const date = new Date(START + 2 * HOUR).toUTCString();
    world.receiver.on(
      "POST /hook",
      reply(503, {}, { "retry-after": date }),
      reply(503, {}, { "retry-after": "999999999" }),
      reply(200, {}),
    );
    world.deliver.start();
    world.end(1);
    await world.pass(HOUR);
    expect(world.delivery(1).next_at).toBe(START + 2 * HOUR);
    await world.pass(HOUR);
    expect(world.delivery(1).next_at).toBe(START + 26 * HOUR);
    await world.pass(24 * HOUR);
    expect(world.delivery(1).state).toBe("delivered");
  });
});

describe("time that passed without Postern", () => {
  it("brings what has become due, paced over some seconds, each once", async () => {
    world.receiver.on("POST /hook", reply(200, {}));
    for (let number = 1; number <= 500; number += 1) world.end(number);
    await world.pass(HOUR);
    await world.restart();
    // Something else of the tasks changes meanwhile: that is no reason to hurry.
    for (const task of world.repository.live()) world.repository.put({ ...task, updated_at: world.time.now() });
    await world.pass(SECOND);
    expect(world.receiver.seen.length).toBeGreaterThan(0);
    expect(world.receiver.seen.length).toBeLessThan(100);
    await world.pass(20 * SECOND);
    const ids = world.receiver.seen.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(500);
    expect(new Set(ids).size).toBe(500);
    const at = moments();
    expect(Math.max(...at) - Math.min(...at)).toBeGreaterThanOrEqual(9 * SECOND);
  });

  it("of a sleeping machine is seen when it wakes, and brings no burst and nothing twice", async () => {
    world.receiver.on("POST /hook", reply(503, {}));
    world.deliver.start();
    for (let number = 1; number <= 100; number += 1) world.end(number);
    await world.pass(2 * SECOND);
    expect(world.receiver.seen).toHaveLength(100);
    world.receiver.on("POST /hook", reply(200, {}));
    world.time.jump(2 * HOUR);
    world.deliver.check();
    await world.pass(SECOND);
    const first = world.receiver.seen.length - 100;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(30);
    await world.pass(15 * SECOND);
    expect(world.receiver.seen).toHaveLength(200);
    await world.pass(3 * HOUR);
    expect(world.receiver.seen).toHaveLength(200);
  });

  it("does not run backwards: a clock that is set back delays nothing and repeats nothing", async () => {
    world.receiver.on("POST /hook", reply(503, {}), reply(200, {}));
    world.deliver.start();
    world.end(1);
    await world.pass(SECOND);
    world.time.jump(-24 * HOUR);
    await world.pass(10 * SECOND);
    expect(world.delivery(1).state).toBe("delivered");
    await world.pass(48 * HOUR);
    expect(world.receiver.seen).toHaveLength(2);
  });
});
