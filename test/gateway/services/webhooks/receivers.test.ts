import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ReceiverQueues } from "../../../../gateway/services/webhooks/receiver-queues.ts";
import { Receivers } from "../../../../gateway/services/webhooks/receivers.ts";
import { targetOf } from "../../../../gateway/upstream/targets.ts";
import { WireProvider } from "../../../support/wire-provider.ts";
import { WebhookWorld } from "./webhook-world.ts";

let world: WebhookWorld;
const dead = new WireProvider();
beforeEach(async () => {
  // What hangs hangs for all of a test.
  world = await WebhookWorld.open(300_000);
  await dead.listen();
  world.allowed.add(targetOf(new URL(dead.origin)));
});
afterEach(async () => {
  await dead.close();
  dead.reset();
  await world[Symbol.asyncDispose]();
});

it("1,000 webhooks for a receiver that hangs load it with two at once, and delay nobody else's", async () => {
  dead.on("POST /hook", () => {});
  const delays: number[] = [];
  world.deliver.start();
  for (let number = 1; number <= 1_000; number += 1) world.end(number, { url: `${dead.origin}/hook` });
  void world.time.pass(0, async () => {});
  await expect.poll(() => dead.seen.length).toBe(2);
  const begun = performance.now();
  world.receiver.on("POST /hook", (_seen, outgoing) => {
    delays.push(performance.now() - begun);
    outgoing.writeHead(200).end();
  });
  for (let number = 2_001; number <= 2_100; number += 1) world.end(number);
  void world.time.pass(0, async () => {});
  // The two that hang are still the first ones: nobody waited for them.
  await expect.poll(() => delays.length, { timeout: 20_000 }).toBe(100);
  expect(dead.seen).toHaveLength(2);
  console.log(`100 callbacks beside 1,000 that hang: the last after ${Math.round(Math.max(...delays))} ms`);
});

it("no more than a thousand addresses are remembered as disabled; the earliest is forgotten", async () => {
  const receivers = new Receivers({ store: world.store, clock: world.time, notices: { add: () => undefined } });
  for (let number = 0; number <= 1_000; number += 1) {
    world.time.jump(1);
    await receivers.disable(`https://gone.example/${number}`);
  }
  expect(receivers.disabled()).toHaveLength(1_000);
  expect(receivers.isDisabled("https://gone.example/0")).toBe(false);
  expect(receivers.disabled()[0]?.id).toBe("https://gone.example/1000");
});

describe("queues", () => {
  /** Work that ends when it is told to, and what of it runs. */
  function workshop() {
    const running: { name: string; end: () => void }[] = [];
    const work = (name: string) => (): Promise<void> =>
      new Promise((resolve) => {
        const one = {
          name,
          end: () => {
            running.splice(running.indexOf(one), 1);
            resolve();
          },
        };
        running.push(one);
      });
    const count = (name: string): number => running.filter((one) => one.name === name).length;
    return { running, work, count };
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it("run two at a receiver and 64 in all, and give those who wait their turn", async () => {
    const queues = new ReceiverQueues();
    const { running, work, count } = workshop();
    for (let number = 0; number < 5; number += 1) queues.run("busy", work("busy"));
    expect(count("busy")).toBe(2);
    for (let number = 0; number < 40; number += 1) {
      for (let times = 0; times < 3; times += 1) queues.run(`r${number}`, work(`r${number}`));
    }
    expect(running).toHaveLength(64);
    let idle = false;
    void queues.idle().then(() => (idle = true));
    let finished = 0;
    while (running.length > 0) {
      expect(running.length).toBeLessThanOrEqual(64);
      for (let number = 0; number < 40; number += 1) expect(count(`r${number}`)).toBeLessThanOrEqual(2);
      expect(count("busy")).toBeLessThanOrEqual(2);
      running[0]?.end();
      finished += 1;
      await settled();
    }
    expect(finished).toBe(5 + 3 * 40);
    expect(idle).toBe(true);
  });

  it("let a receiver that comes late have its turn before long queues of others end", async () => {
    const queues = new ReceiverQueues();
    const { running, work, count } = workshop();
    for (let number = 0; number < 40; number += 1) {
      for (let times = 0; times < 20; times += 1) queues.run(`r${number}`, work(`r${number}`));
    }
    queues.run("late", work("late"));
    let ended = 0;
    while (count("late") === 0 && ended < 200) {
      running[0]?.end();
      ended += 1;
      await settled();
    }
    expect(ended).toBeLessThan(100);
  });

  it("let what is asked for by hand go first, and forget what has not begun", async () => {
    const queues = new ReceiverQueues();
    const { running, work } = workshop();
    for (const name of ["a", "b", "c", "d"]) queues.run("one", work(name));
    queues.run("one", work("by hand"), true);
    running[0]?.end();
    await settled();
    expect(running.map(({ name }) => name)).toEqual(["b", "by hand"]);
    queues.clear();
    running[0]?.end();
    running[0]?.end();
    await settled();
    expect(running).toEqual([]);
    await queues.idle();
  });
});
