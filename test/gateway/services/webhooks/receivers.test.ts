import { afterEach, beforeEach, expect, it } from "vitest";
import { Receivers } from "../../../../gateway/services/webhooks/receivers.ts";
import { formatTarget } from "../../../../gateway/upstream/targets.ts";
import { WireProvider } from "../../../support/wire-provider.ts";
import { WebhookWorld } from "./webhook-world.ts";

let world: WebhookWorld;
const dead = new WireProvider();
beforeEach(async () => {
  // What hangs hangs for all of a test.
  world = await WebhookWorld.open(300_000);
  await dead.listen();
  world.allowed.add(formatTarget(new URL(dead.origin)));
});
afterEach(async () => {
  await dead.close();
  dead.reset();
  await world[Symbol.asyncDispose]();
});

it("1,000 webhooks for a receiver that hangs load it with two at once, and delay no one else's", async () => {
  dead.on("POST /hook", () => {});
  let received = 0;
  world.deliver.start();
  for (let number = 1; number <= 1_000; number += 1) world.end(number, { url: `${dead.origin}/hook` });
  void world.time.pass(0, async () => {});
  await expect.poll(() => dead.seen.length).toBe(2);
  world.receiver.on("POST /hook", (_seen, outgoing) => {
    received += 1;
    outgoing.writeHead(200).end();
  });
  for (let number = 2_001; number <= 2_100; number += 1) world.end(number);
  void world.time.pass(0, async () => {});
  // The two that hang are still the first ones: no one waited for them.
  await expect.poll(() => received, { timeout: 20_000 }).toBe(100);
  expect(dead.seen).toHaveLength(2);
});

it("no more than a thousand addresses are remembered as disabled; the earliest is forgotten", async () => {
  const receivers = new Receivers({ store: world.store, clock: world.time, notices: { add: () => undefined } });
  for (let number = 0; number <= 1_000; number += 1) {
    world.time.jump(1);
    await receivers.disable(`https://gone.example/${number}`);
  }
  expect(receivers.listDisabled()).toHaveLength(1_000);
  expect(receivers.isDisabled("https://gone.example/0")).toBe(false);
  expect(receivers.listDisabled()[0]?.id).toBe("https://gone.example/1000");
});
