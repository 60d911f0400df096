import { createServer, type AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { taskId } from "../../../support/tasks.ts";
import { reply, type WireAct } from "../../../support/wire-provider.ts";
import { WebhookWorld } from "./webhook-world.ts";

const SECOND = 1_000;

let world: WebhookWorld;
beforeEach(async () => {
  world = await WebhookWorld.open();
});
afterEach(() => world[Symbol.asyncDispose]());

const endless: WireAct = (_seen, outgoing) => {
  const chunk = Buffer.alloc(65_536);
  outgoing.writeHead(200, { "content-length": String(10 * 1024 ** 3) });
  const more = (): void => {
    while (!outgoing.destroyed) if (!outgoing.write(chunk)) return;
  };
  outgoing.on("drain", more);
  more();
};
const reset: WireAct = (_seen, outgoing) => void outgoing.socket?.resetAndDestroy();

describe("each kind of response", () => {
  it.each<[string, WireAct, string, number | null, string | null]>([
    ["200", reply(200, { secret: "body-canary" }), "delivered", 200, null],
    ["204", (_seen, outgoing) => void outgoing.writeHead(204).end(), "delivered", 204, null],
    ["a body of ten gigabytes", endless, "delivered", 200, null],
    [
      "302",
      reply(302, {}, { location: "/other" }),
      "pending",
      302,
      "The receiver responded with 302. Redirects are not followed.",
    ],
    ["400", reply(400, { secret: "body-canary" }), "pending", 400, "The receiver responded with 400."],
    ["410", reply(410, {}), "disabled", 410, "The receiver responded with 410: it wants no more webhooks."],
    ["429", reply(429, {}, { "retry-after": "60" }), "pending", 429, "The receiver responded with 429."],
    ["502", reply(502, {}), "pending", 502, "The receiver responded with 502."],
    ["a reset", reset, "pending", null, "The connection to the receiver broke off"],
    ["silence", () => {}, "pending", null, "The receiver did not respond within 15 seconds."],
  ])("%s", async (_what, act, state, status, error) => {
    world.receiver.on("POST /hook", act).on("POST /other", reply(200, {})).on("GET /other", reply(200, {}));
    world.deliver.start();
    world.end(1);
    await world.pass(SECOND);
    const { attempts, ...delivery } = world.delivery(1);
    expect(delivery.state).toBe(state);
    expect(delivery.next_at === null).toBe(state !== "pending");
    expect(attempts).toHaveLength(1);
    expect(attempts[0]?.status).toBe(status);
    expect(attempts[0]?.error ?? "").toContain(error ?? "");
    expect(attempts[0]?.error === null).toBe(error === null);
    expect(world.receiver.seen).toHaveLength(1);
    expect(world.logged.join("")).not.toContain("body-canary");
  });

  it("that no one gives is a failed connection", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const target = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => server.close(resolve));
    world.allowed.add(target);
    world.deliver.start();
    world.end(1, { url: `http://${target}/hook` });
    await world.pass(SECOND);
    const attempt = world.delivery(1).attempts[0];
    expect(attempt).toMatchObject({ status: null, error: "The receiver could not be connected to (ECONNREFUSED)." });
  });

  it("is not asked for where the address is not allowed any more: it is checked at each delivery", async () => {
    world.receiver.on("POST /hook", reply(500, {}));
    world.deliver.start();
    world.end(1);
    await world.pass(SECOND);
    world.allowed.clear();
    await world.pass(10 * SECOND);
    expect(world.receiver.seen).toHaveLength(1);
    expect(world.delivery(1).attempts[1]?.error).toContain("Not sent: the address must be on the open internet");
  });
});

describe("what is in the log", () => {
  it("is where a webhook went and what came of it, no address, no payload, no secret", async () => {
    world.receiver.on("POST /hook", reply(500, {}));
    world.deliver.start();
    world.end(1, { url: `${world.url}?token=url-canary` });
    await world.pass(SECOND);
    const log = world.logged.join("");
    expect(log).toContain('"event":"webhook.attempt"');
    expect(log).toContain(world.receiver.origin);
    expect(log).not.toContain("url-canary");
    expect(log).not.toContain("local_url");
    expect(log).not.toContain((await world.secret.current()).slice("whsec_".length));
  });
});

describe("410", () => {
  it("disables the whole address: what waits for it, and what comes later, at once and without a request", async () => {
    world.receiver.on("POST /hook", reply(500, {}), reply(500, {}), reply(410, {})).on("POST /good", reply(200, {}));
    world.deliver.start();
    world.end(1);
    world.end(2);
    await world.pass(SECOND);
    world.end(3);
    await world.pass(SECOND);
    expect([1, 2, 3].map((number) => world.delivery(number).state)).toEqual(["disabled", "disabled", "disabled"]);
    world.end(4);
    await world.pass(SECOND);
    expect(world.delivery(4)).toMatchObject({ state: "disabled", next_at: null, attempts: [] });
    expect(world.receiver.seen).toHaveLength(3);
    // Another address of the same receiver is another matter.
    world.end(5, { url: `${world.receiver.origin}/good` });
    await world.pass(SECOND);
    expect(world.delivery(5).state).toBe("delivered");
    expect(world.notices).toHaveLength(1);
    expect(world.notices[0]).toContain("responded with 410");
    const { disabled, pending } = await world.deliver.view();
    expect(disabled.map(({ url }) => url)).toEqual([world.url]);
    expect(pending).toBe(0);
  });

  it("spares the receiver what was already waiting for its turn", async () => {
    world.receiver.on("POST /hook", reply(410, {}));
    world.deliver.start();
    for (let number = 1; number <= 50; number += 1) world.end(number);
    await world.pass(SECOND);
    expect(world.receiver.seen).toHaveLength(2);
    const states = [...world.repository.live()].map(({ deliveries }) => deliveries[0]?.state);
    expect(new Set(states)).toEqual(new Set(["disabled"]));
    expect(world.notices).toHaveLength(1);
  });

  it("is remembered when the disk refuses it for a while", async () => {
    world.receiver.on("POST /hook", reply(410, {}));
    world.deliver.start();
    world.end(1);
    await world.pass(SECOND);
    world.repository.refusals = 1;
    world.end(2);
    await world.pass(SECOND);
    expect(world.delivery(2).state).toBe("pending");
    await world.pass(60 * SECOND);
    expect(world.delivery(2)).toMatchObject({ state: "disabled", attempts: [] });
    expect(world.receiver.seen).toHaveLength(1);
  });

  it("holds over a restart, until the owner enables the address", async () => {
    world.receiver.on("POST /hook", reply(410, {}), reply(200, {}));
    world.deliver.start();
    world.end(1);
    await world.pass(SECOND);
    await world.restart();
    world.end(2);
    await world.pass(SECOND);
    expect(world.delivery(2).state).toBe("disabled");
    await world.deliver.enable(world.url);
    world.end(3);
    await world.pass(SECOND);
    expect(world.delivery(3).state).toBe("delivered");
    expect((await world.deliver.view()).disabled).toEqual([]);
    // What was disabled meanwhile is the owner's to send.
    expect(world.delivery(2).state).toBe("disabled");
    await world.deliver.resend(taskId(2));
    expect(world.delivery(2).state).toBe("delivered");
  });
});

it("takes a webhook up again whose task could not be read", async () => {
  world.receiver.on("POST /hook", reply(200, {}));
  world.deliver.start();
  world.repository.unreadable = 1;
  world.end(1);
  await world.pass(30 * SECOND);
  expect(world.receiver.seen).toHaveLength(0);
  await world.pass(60 * SECOND);
  expect(world.delivery(1).state).toBe("delivered");
  expect(world.logged.join("")).toContain("webhook.trouble");
});

it("tells the pages of every change, and not more than twice a second", async () => {
  world.receiver.on("POST /hook", reply(200, {}));
  world.deliver.start();
  for (let number = 1; number <= 20; number += 1) world.end(number);
  await world.pass(2 * SECOND);
  expect(world.events.length).toBeGreaterThan(0);
  expect(world.events.length).toBeLessThanOrEqual(4);
  expect(new Set(world.events)).toEqual(new Set(["webhooks.changed"]));
});
