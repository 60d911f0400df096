import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { usdFromNano } from "../../../../gateway/lib/money.ts";
import { completion, failure, stream, when } from "../../../support/acts.ts";
import { valuesOf } from "../../../support/otlp-receiver.ts";
import { CHAT, KEY, until } from "../../../support/running-gateway.ts";
import { fast, name, never, useExportWorld, view } from "./export-world.ts";

const world = useExportWorld();
const { receiver } = world;
const STREAMED = { ...CHAT, stream: true };

/** Of all terms of a side that are tokens. */
function tokens(receipts: readonly Receipt[], units: readonly string[]): number {
  return receipts
    .flatMap(({ terms }) => terms)
    .reduce((sum, { unit, quantity }) => (units.includes(unit) ? sum + quantity : sum), 0);
}

describe("a receiver that counts", () => {
  it("has a span for each receipt, and sums that are those of the receipts", async () => {
    const postern = await world.open();
    await name(postern, receiver.url);
    const calls = Array.from({ length: 40 }, async (_, index) => {
      if (index % 10 === 9) return postern.chat({ ...CHAT, model: "no-such-model" });
      return (await postern.chat(index % 2 === 0 ? CHAT : STREAMED)).text();
    });
    world.provider.usual = (exchange) =>
      JSON.parse(exchange.seen.body.toString()).stream === true ? stream()(exchange) : completion()(exchange);
    await Promise.all(calls);
    await until(() => receiver.spans.length >= 40 && world.total("postern.requests") === 40);
    const receipts = await postern.receipts();
    expect(receipts).toHaveLength(40);
    expect(world.requestIds().toSorted()).toEqual(receipts.map(({ id }) => id).toSorted());
    expect(new Set(receiver.spans.map(({ spanId }) => spanId)).size).toBe(40);

    const input = tokens(receipts, ["input", "cached_input"]);
    const output = tokens(receipts, ["output", "reasoning"]);
    expect(input).toBe(360);
    expect(world.total("gen_ai.client.token.usage", { "gen_ai.token.type": "input" })).toBe(input);
    expect(world.total("gen_ai.client.token.usage", { "gen_ai.token.type": "output" })).toBe(output);
    const spent = receipts.reduce((sum, { nano }) => sum + (nano ?? 0), 0);
    expect(spent).toBeGreaterThan(0);
    expect(world.total("postern.cost_usd")).toBe(usdFromNano(spent));
    const durations = receiver.points("gen_ai.client.operation.duration");
    expect(durations.reduce((sum, { count }) => sum + count, 0)).toBe(40);
    const ms = receipts.reduce((sum, receipt) => sum + Math.round(receipt.ms * 10), 0);
    expect(durations.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(ms / 10_000, 9);
    const streams = receipts.filter((receipt) => receipt.stream && receipt.outcome === "completed").length;
    const first = receiver.points("gen_ai.server.time_to_first_token");
    expect(first.reduce((sum, { count }) => sum + count, 0)).toBe(streams);
    expect(world.total("postern.requests", { "postern.outcome": "failed", "error.type": "model_not_found" })).toBe(4);
    expect(await view(postern)).toMatchObject({ exported: 40, dropped: 0, queued: 0, problem: null });
  });

  it("learns what each receipt says, by the conventions", async () => {
    const postern = await world.open();
    await name(postern, `${receiver.url}/`);
    world.provider.usual = stream();
    await (await postern.chat(STREAMED, KEY, { headers: { "user-agent": "one-client/1.2" } })).text();
    await until(() => receiver.spans.length === 1);
    const [span] = receiver.spans;
    const receipt = await postern.receipt();
    expect(span?.name).toBe("chat gpt-4.1");
    expect(span?.status).toEqual({});
    expect(BigInt(span?.endTimeUnixNano ?? 0) - BigInt(span?.startTimeUnixNano ?? 0)).toBe(
      BigInt(Math.round(receipt.ms * 1_000_000)),
    );
    expect(span?.endTimeUnixNano).toBe(`${receipt.at}000000`);
    expect(valuesOf(span?.attributes ?? [])).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-4.1",
      "gen_ai.request.stream": true,
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.response.time_to_first_chunk": (receipt.first_ms ?? 0) / 1_000,
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(world.provider.baseUrl).port),
      "http.response.status_code": 200,
      "postern.request.id": receipt.id,
      "postern.endpoint": "chat",
      "postern.outcome": "completed",
      "postern.client": "one-client",
      "postern.key.id": receipt.key,
      "postern.key.name": "unlimited",
      "postern.sandbox": false,
      "postern.attempts": 1,
      "postern.cost_usd": usdFromNano(receipt.nano ?? -1),
    });
  });

  it("is notified of failures with their code", async () => {
    const postern = await world.open();
    await name(postern, receiver.url);
    world.provider.usual = failure(401, { message: "Incorrect API key provided" });
    expect((await postern.chat()).status).toBe(502);
    await until(() => receiver.spans.length === 1);
    expect(receiver.spans[0]?.status).toEqual({ code: 2 });
    expect(valuesOf(receiver.spans[0]?.attributes ?? [])).toMatchObject({
      "error.type": "vendor_auth",
      "postern.outcome": "failed",
      "http.response.status_code": 502,
    });
  });

  it("learns nothing of what was asked and said", async () => {
    const postern = await world.open();
    await name(postern, receiver.url, { record_bodies: true });
    world.provider.usual = completion("canary-of-the-response");
    await postern.chat({ ...CHAT, messages: [{ role: "user", content: "canary-of-the-prompt" }] });
    await until(() => receiver.spans.length === 1 && world.total("postern.requests") === 1);
    const all = receiver.messages.map(({ text }) => text).join("\n");
    expect(all).toContain("gpt-4.1");
    expect(all).not.toContain("canary");
    expect(all).not.toContain(KEY);
    expect(all).not.toContain("sk-provider-key-0001");
  });
});

describe("a client's trace", () => {
  const TRACE = "0af7651916cd43dd8448eb211c80319c";
  const PARENT = "b7ad6b7169203331";

  it("has the span of the call below the client's own", async () => {
    const postern = await world.open();
    await name(postern, receiver.url);
    await postern.chat(CHAT, KEY, { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
    await postern.chat(CHAT, KEY, { headers: { traceparent: `00-${TRACE}-0000000000000000-01` } });
    await until(() => receiver.spans.length === 2);
    const child = receiver.spans.find(({ traceId }) => traceId === TRACE);
    expect(child?.parentSpanId).toBe(PARENT);
    const alone = receiver.spans.find(({ traceId }) => traceId !== TRACE);
    expect(alone).toBeDefined();
    expect(alone?.parentSpanId).toBeUndefined();
  });

  it("goes to no provider", async () => {
    const postern = await world.open();
    await name(postern, receiver.url);
    await postern.chat(CHAT, KEY, { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
    expect(world.provider.chats.at(-1)?.headers).not.toHaveProperty("traceparent");
  });
});

describe("where the owner names no one", () => {
  it("nothing is heard, kept or sent", async () => {
    const postern = await world.open();
    expect(postern.gateway.events.hears("request.settled")).toBe(false);
    await name(postern, receiver.url);
    expect(postern.gateway.events.hears("request.settled")).toBe(true);
    await name(postern, null);
    expect(postern.gateway.events.hears("request.settled")).toBe(false);
    await postern.chat();
    await postern.stop();
    expect(receiver.messages).toEqual([]);
  });

  it("and only what the receiver takes is sent to one", async () => {
    const postern = await world.open();
    await name(postern, receiver.url, { otlp_signals: "metrics" });
    await postern.chat();
    await until(() => world.total("postern.requests") === 1);
    await postern.stop();
    expect(new Set(receiver.messages.map(({ path }) => path))).toEqual(new Set(["/v1/metrics"]));
  });

  it("the environment can name one, which goes before the setting", async () => {
    const postern = await world.open({ env: { POSTERN_OTLP_ENDPOINT: receiver.url } });
    await name(postern, "http://127.0.0.1:9");
    await postern.chat();
    await until(() => receiver.spans.length === 1);
    expect((await view(postern)).endpoint).toBe(receiver.url);
  });
});

describe("a stop", () => {
  it("sends what waits, and the last metrics", async () => {
    const postern = await world.open({ later: never, backoff: fast });
    await name(postern, receiver.url);
    for (let call = 0; call < 3; call += 1) await postern.chat();
    expect(receiver.messages).toEqual([]);
    await postern.stop();
    expect(receiver.spans).toHaveLength(3);
    expect(world.total("postern.requests")).toBe(3);
  });

  it("does not wait for a receiver that says nothing", async () => {
    const logged: string[] = [];
    const postern = await world.open({ later: never, backoff: fast, logged });
    await name(postern, receiver.url);
    receiver.response = () => null;
    await postern.chat();
    await postern.stop();
    expect(logged.some((line) => line.includes("telemetry.dropped"))).toBe(true);
  });
});

it("reports money that is held and calls that run", async () => {
  const gate = Promise.withResolvers<void>();
  world.provider.usual = when(gate.promise, completion());
  const limited = "sk-limited-0123456789abcdefgh";
  const postern = await world.open({ keys: [{ key: limited, name: "limited", limit_usd: 5 }] });
  await name(postern, receiver.url);
  await postern.chat(CHAT, "sk-wrong").catch(() => undefined);
  const first = postern.chat({ ...CHAT, model: "no-such-model" });
  await first;
  const call = postern.chat({ ...CHAT, max_tokens: 1_000 }, limited);
  await until(() => world.total("postern.requests.running") === 1);
  expect(world.total("postern.held_usd")).toBeGreaterThan(0);
  gate.resolve();
  await call;
  await until(() => world.total("postern.requests.running") === 0);
  expect(world.total("postern.held_usd")).toBe(0);
});
