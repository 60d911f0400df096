import { beforeEach, expect, test } from "vitest";
import type { RequestDetail } from "../../../gateway/contract/requests.ts";
import { completion, failure, reset, stream } from "../../support/acts.ts";
import { type Act } from "../../support/mock-provider.ts";
import { KEY } from "../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../support/use-gateway.ts";

const provider = useProvider();
const postern = useGateway(() => {
  const env = {
    POSTERN_COMPATIBLE_BASE_URL: provider.baseUrl,
    POSTERN_COMPATIBLE_API_KEY: "sk-other-provider-key-0001",
  };
  return { provider, env };
});
beforeEach(() => provider.reset());

/** A conversation that no one else has: 20 kB to 1.4 MB, on both sides of what is parsed in pieces. */
const message = (id: number): string =>
  `conversation ${id}: ${`words of ${id} "and" é `.repeat(800 * (1 + (id % 60)))}`;
const messages = (id: number): unknown[] => [{ role: "user", content: message(id) }];
const FAULTS: readonly Act[] = [failure(429, {}, { "retry-after": "0" }), failure(503), reset];

/** Of a provider that speaks chat only. */
const TRANSLATED = "compatible/provider-model";
/** The ways of a large body through the gateway. */
const WAYS: readonly ((id: number) => Promise<Response>)[] = [
  (id) => postern.chat({ model: "gpt-4.1", messages: messages(id) }),
  (id) => postern.chat({ model: "openai/gpt-4.1", messages: messages(id) }),
  (id) => postern.chat({ messages: messages(id), model: "gpt-4.1", stream: true }),
  (id) => postern.post("/messages", { model: TRANSLATED, max_tokens: 100, messages: messages(id) }),
  (id) => postern.post("/responses", { model: TRANSLATED, input: message(id), store: false, stream: true }),
];

/** What the provider got must be whole, whatever happened to the requests next to it. */
function expectWhole(): void {
  for (const { body } of provider.chats) {
    const text = body.toString("utf8");
    const id = Number(/conversation (\d+):/.exec(text)?.[1]);
    expect(text.includes(JSON.stringify(message(id))), `conversation ${id} came as it was sent`).toBe(true);
    expect(() => void JSON.parse(text)).not.toThrow();
  }
}

test("large requests reach their provider whole, many at once, and again after failures", async () => {
  const ids = Array.from({ length: 90 }, (_, index) => index);
  const streams: Act = (exchange) =>
    JSON.parse(exchange.seen.body.toString("utf8")).stream === true ? stream()(exchange) : completion()(exchange);
  provider.usual = (exchange) => {
    const fault = provider.chats.length % 4 === 0 ? FAULTS[(provider.chats.length / 4) % FAULTS.length] : undefined;
    return (fault ?? streams)(exchange);
  };
  const statuses = await Promise.all(
    ids.map(async (id) => {
      const response = await (WAYS[id % WAYS.length] as (typeof WAYS)[number])(id);
      await response.text();
      return response.status;
    }),
  );
  expectWhole();
  expect(provider.chats.length).toBeGreaterThan(ids.length);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(60);
});

test("a large request whose client leaves is not mixed up with the next ones", async () => {
  const left = new AbortController();
  provider.usual = () => undefined;
  const gone = postern.chat({ model: "gpt-4.1", messages: messages(59) }, KEY, { signal: left.signal });
  await provider.arrived(1);
  left.abort();
  await expect(gone).rejects.toThrow(/abort/i);
  provider.usual = completion();
  await Promise.all([1, 2, 3].map(async (id) => (await WAYS[0]?.(id))?.text()));
  expectWhole();
});

test("a large request is recorded as it was sent", async () => {
  await postern.ask("PATCH", "/settings", { record_bodies: true });
  const sent = JSON.stringify({ model: "gpt-4.1", messages: [{ role: "user", content: "record me ".repeat(8_000) }] });
  const response = await postern.chat(sent);
  await response.text();
  const { recording } = await postern.ask<RequestDetail>(
    "GET",
    `/requests/${response.headers.get("x-request-id") ?? ""}`,
  );
  expect(recording?.request.bytes).toBe(sent.length);
  expect(recording?.request.text === sent).toBe(true);
});
