import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ReceiverLanes } from "../../../../gateway/services/webhooks/receiver-lanes.ts";
import { Receivers } from "../../../../gateway/services/webhooks/receivers.ts";
import { targetOf } from "../../../../gateway/upstream/targets.ts";
import { WireVendor } from "../../../support/wire-vendor.ts";
import { WebhookWorld } from "./webhook-world.ts";

let world: WebhookWorld;
const dead = new WireVendor();
beforeEach(async () => {
  world = await WebhookWorld.open();
  await dead.listen();
  world.allowed.add(targetOf(new URL(dead.origin)));
});
afterEach(async () => {
  await dead.close();
  dead.reset();
  await world[Symbol.asyncDispose]();
});

it("1,000 callbacks for a receiver that hangs delay nobody else's, and load it with no more than two at once", async () => {
  const latest = new Map<string, number>();
  let now = 0;
  let most = 0;
  dead.on("POST /hook", (_seen, outgoing) => {
    now += 1;
    most = Math.max(most, now);
    outgoing.once("close", () => (now -= 1));
  });
  world.receiver.on("POST /hook", (seen, outgoing) => {
    latest.set(String(seen.headers["webhook-id"]), performance.now());
    outgoing.writeHead(200).end();
  });
  world.deliver.start();
  for (let number = 1; number <= 1_000; number += 1) world.end(number, { url: `${dead.origin}/hook` });
  void world.time.pass(0, async () => {});
  await expect.poll(() => dead.seen.length).toBe(2);
  const begun = performance.now();
  for (let number = 2_001; number <= 2_100; number += 1) world.end(number);
  void world.time.pass(0, async () => {});
  await expect.poll(() => latest.size, { timeout: 10_000 }).toBe(100);
  const delays = [...latest.values()].map((at) => at - begun).toSorted((a, b) => a - b);
  expect(delays[98]).toBeLessThan(1_000);
  expect(dead.seen.length).toBeLessThanOrEqual(4);
  expect(most).toBe(2);
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

describe("lanes", () => {
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
    const lanes = new ReceiverLanes();
    const { running, work, count } = workshop();
    for (let number = 0; number < 5; number += 1) lanes.run("busy", work("busy"));
    expect(count("busy")).toBe(2);
    for (let number = 0; number < 40; number += 1) {
      for (let times = 0; times < 3; times += 1) lanes.run(`r${number}`, work(`r${number}`));
    }
    expect(running).toHaveLength(64);
    let idle = false;
    void lanes.idle().then(() => (idle = true));
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
    const lanes = new ReceiverLanes();
    const { running, work, count } = workshop();
    for (let number = 0; number < 40; number += 1) {
      for (let times = 0; times < 20; times += 1) lanes.run(`r${number}`, work(`r${number}`));
    }
    lanes.run("late", work("late"));
    let ended = 0;
    while (count("late") === 0 && ended < 200) {
      running[0]?.end();
      ended += 1;
      await settled();
    }
    expect(ended).toBeLessThan(100);
  });

  it("let what is asked for by hand go first, and forget what has not begun", async () => {
    const lanes = new ReceiverLanes();
    const { running, work } = workshop();
    for (const name of ["a", "b", "c", "d"]) lanes.run("one", work(name));
    lanes.run("one", work("by hand"), true);
    running[0]?.end();
    await settled();
    expect(running.map(({ name }) => name)).toEqual(["b", "by hand"]);
    lanes.clear();
    running[0]?.end();
    running[0]?.end();
    await settled();
    expect(running).toEqual([]);
    await lanes.idle();
  });
});
