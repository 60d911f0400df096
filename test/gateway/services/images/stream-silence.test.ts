import type { ServerResponse } from "node:http";
import { beforeEach, expect, it } from "vitest";
import { OPENAI_ROUTE, completedEvent, partialEvent } from "../../../support/image-acts.ts";
import { until } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const OTHER = "sk-test-revoked-key-0002";

const clock = new TestClock();
const wire = useWire();
let provider: ServerResponse | null = null;
const postern = useGateway(() => ({
  clock,
  keys: [{ key: OTHER, name: "other" }],
  env: { POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`, POSTERN_OPENAI_API_KEY: "sk-openai-0001" },
}));
beforeEach(() => {
  wire.reset();
  provider = null;
  wire.on(OPENAI_ROUTE, (_seen, outgoing) => void (provider = outgoing));
});

const STREAM = { model: "delta-image-1", prompt: "A red fox", stream: true, partial_images: 1 } as const;
const EVENTS = { "content-type": "text/event-stream" } as const;

/** The provider's side of the call, once it is there. */
async function called(): Promise<ServerResponse> {
  await until(() => provider !== null);
  if (provider === null) throw new Error("the provider was not called");
  return provider;
}

it("a provider that draws in silence is bridged with comments", async () => {
  const asked = postern.post("/images/generations", STREAM);
  const outgoing = await called();
  clock.advance(16_000);
  // The head is there before the provider said anything.
  const response = await asked;
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  outgoing.writeHead(200, EVENTS).end(partialEvent(0) + completedEvent());
  const text = await response.text();
  expect(text.replace(/^(: keep-alive\n\n)+/, "")).toBe(partialEvent(0) + completedEvent());
  expect(text).toMatch(/^: keep-alive\n\n/);
});

it("a refusal after such a comment is told in-band", async () => {
  const asked = postern.post("/images/generations", STREAM);
  const outgoing = await called();
  clock.advance(16_000);
  const response = await asked;
  const error = { message: "Rejected.", type: "image_generation_user_error", param: null, code: "moderation_blocked" };
  outgoing.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  const text = await response.text();
  expect(JSON.parse(text.replace(/^(: keep-alive\n\n)+data: /, ""))).toEqual({ error });
  expect(await postern.receipt()).toMatchObject({ outcome: "failed", status: 400, nano: 0 });
});

it("a key that is revoked while the provider draws ends the stream", async () => {
  const response = postern.post("/images/generations", STREAM, OTHER);
  const outgoing = await called();
  outgoing.writeHead(200, EVENTS).write(partialEvent(0));
  const { data } = await postern.ask<{ data: { id: string; name: string }[] }>("GET", "/keys");
  const id = data.find(({ name }) => name === "other")?.id ?? "";
  await (await response).body?.getReader().read();
  const removed = await postern.control("DELETE", `/keys/${id}`);
  expect(removed.ok).toBe(true);
  await until(async () => (await postern.receipt()).outcome === "interrupted");
  expect(await postern.receipt()).toMatchObject({ code: "invalid_api_key" });
});
