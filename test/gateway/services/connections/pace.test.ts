import { beforeEach, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import { later, type Later } from "../../../../gateway/lib/later.ts";
import { completion, reset, when } from "../../../support/acts.ts";
import { CHAT, errorOf, until } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const clock = new TestClock();
/** Has the time of each wait pass at once. */
const backoff: Later = (ms, work) =>
  later(0, () => {
    clock.advance(ms);
    work();
  });
const provider = useProvider();
const spare = useProvider();
const postern = useGateway(() => ({ clock, backoff }));

async function connect(name: string, base_url: string, pace: object): Promise<void> {
  const input = { provider: "openai", name, base_url, keys: [`sk-key-of-${name}-0001`], priority: 1, ...pace };
  await postern.ask<ConnectionView>("POST", "/connections", input);
}
const isOver = async (response: Promise<Response>): Promise<string> => (await response).text();

beforeEach(async () => {
  clock.advance(10 * 60_000);
  provider.reset();
  spare.reset();
  const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
  await Promise.all(data.map((each) => postern.control("DELETE", `/connections/${each.id}`)));
});

describe("a connection with requests at the same time", () => {
  beforeEach(() => connect("Slow", provider.baseUrl, { concurrency: 1 }));

  it("gets the next request when one has ended, in a stream too", async () => {
    for (const stream of [false, true]) {
      await isOver(postern.chat({ ...CHAT, stream }));
      await isOver(postern.chat({ ...CHAT, stream }));
    }
    expect(provider.chats).toHaveLength(4);
  });

  it("says that its turn did not come, and sends nothing", async () => {
    const gate = Promise.withResolvers<void>();
    provider.next(when(gate.promise, completion()));
    const first = postern.chat();
    await until(() => provider.chats.length === 1);
    const refused = await postern.chat();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    const error = await errorOf(refused);
    expect(error).toMatchObject({ code: "connection_paced" });
    expect(error.message).toContain('"Slow" gets at most 1 at the same time');
    expect(provider.chats).toHaveLength(1);
    gate.resolve();
    expect((await first).status).toBe(200);
    expect((await postern.chat()).status).toBe(200);
  });

  it("leaves the request to another connection of the model", async () => {
    await connect("Spare", spare.baseUrl, { priority: 900 });
    const gate = Promise.withResolvers<void>();
    provider.next(when(gate.promise, completion()));
    const first = postern.chat();
    await until(() => provider.chats.length === 1);
    expect((await postern.chat()).status).toBe(200);
    expect([provider.chats.length, spare.chats.length]).toEqual([1, 1]);
    gate.resolve();
    await isOver(first);
    await isOver(postern.chat());
    expect([provider.chats.length, spare.chats.length]).toEqual([2, 1]);
  });

  it("has its place back when the client leaves, or the provider fails", async () => {
    const gate = Promise.withResolvers<void>();
    provider.next(when(gate.promise, completion()));
    const leaves = new AbortController();
    const left = postern.chat(CHAT, undefined, { signal: leaves.signal });
    await until(() => provider.chats.length === 1);
    leaves.abort();
    await expect(left).rejects.toThrow(/abort/);
    await until(() => provider.aborts === 1);
    gate.resolve();
    provider.next(reset);
    await isOver(postern.chat());
    expect((await postern.chat()).status).toBe(200);
  });
});

it("gets so many requests a minute, and the next model of a route the others", async () => {
  await connect("Paced", provider.baseUrl, { rpm: 2 });
  await connect("Other", spare.baseUrl, { priority: 900 });
  await postern.ask("POST", "/routes", { name: "work", models: ["Paced/gpt-4.1", "Other/gpt-4.1"], order: "listed" });
  const ask = async () => (await postern.chat({ ...CHAT, model: "work" })).status;
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200]);
  expect([provider.chats.length, spare.chats.length]).toEqual([2, 1]);
  clock.advance(60_000);
  expect(await ask()).toBe(200);
  expect([provider.chats.length, spare.chats.length]).toEqual([3, 1]);
});

it("takes a change of its pace at once", async () => {
  await connect("Paced", provider.baseUrl, { rpm: 1 });
  await isOver(postern.chat());
  expect((await postern.chat()).status).toBe(429);
  const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
  await postern.control("PATCH", `/connections/${data[0]?.id}`, { rpm: null });
  expect((await postern.chat()).status).toBe(200);
});
