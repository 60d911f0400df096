import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Price } from "../../../gateway/core/models/model.ts";
import { chatDialect } from "../../../gateway/services/chat/dialects/chat.ts";
import { messagesDialect } from "../../../gateway/services/chat/dialects/messages.ts";
import { responsesDialect } from "../../../gateway/services/chat/dialects/responses.ts";
import { RequestTranslator } from "../../../gateway/services/chat/request-translator.ts";
import type { Candidate, ServedModel } from "../../../gateway/services/models/served-model.ts";
import { providers, type ProviderId } from "../../../gateway/providers/registry.ts";
import { bareConnection } from "../../support/bare-connection.ts";

/** What goes out with prompt caching and without: the same but for the marks. */

type Json = Readonly<Record<string, unknown>>;
const DIALECTS = { chat: chatDialect, messages: messagesDialect, responses: responsesDialect };
type DialectName = keyof typeof DIALECTS;

const LONG = "The quick brown fox jumps over the lazy dog. ".repeat(500);
const MARK = '"cache_control":{"type":"ephemeral"}';
const rates = { input: 3_000_000_000, output: 15_000_000_000 };
const WRITES: Price = { tiers: [{ above: 0, rates: { ...rates, cache_write: 1 } }], source: "s", as_of: "2026-11-24" };
const NO_WRITES: Price = { tiers: [{ above: 0, rates }], source: "s", as_of: "2026-11-24" };

interface SentRequest {
  readonly provider?: ProviderId;
  readonly model?: string;
  readonly price?: Price | null;
  /** A limit of money applies. */
  readonly bound?: number | null;
}

/** The body that goes out. @param written the client's own bytes */
function sent(written: string, dialectName: DialectName, promptCaching: boolean, requested: SentRequest = {}): string {
  const { provider = "anthropic", model = "claude-sonnet-5", price = WRITES, bound = null } = requested;
  const connection = bareConnection(provider, promptCaching);
  const candidate: Candidate = { connection, upstreamModel: model, price };
  const served: ServedModel = {
    id: model,
    spec: null,
    discovered: null,
    capabilities: ["chat"],
    candidates: [candidate],
  };
  const dialect = DIALECTS[dialectName];
  const body = dialect.check(JSON.parse(written));
  const request = { dialect, raw: Buffer.from(written), body, changed: false, headers: {} };
  let ids = 0;
  const translator = new RequestTranslator(request, served, { now: () => 0, newId: () => String((ids += 1)) });
  return String(translator.createRequest(candidate, "k", bound, () => undefined).body);
}

/** A body without marks, its texts as blocks: what a provider reads of it. */
function read(value: unknown, name = ""): unknown {
  if (typeof value === "string")
    return name === "content" || name === "system" ? [{ type: "text", text: value }] : value;
  if (Array.isArray(value)) return value.map((item) => read(item));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([member]) => member !== "cache_control");
  return Object.fromEntries(members.map(([member, item]) => [member, read(item, member)]));
}

const marksIn = (body: string): number => body.split(MARK).length - 1;

const text = fc.oneof(
  fc.constantFrom(LONG, "hi", " ", 'a "quoted" \\ {[,'),
  fc.string({ unit: "binary", maxLength: 30 }),
);
const block = text.map((words) => ({ type: "text", text: words }));
const content = fc.oneof(text, fc.array(block, { maxLength: 3 }));
const turn = fc.record({ role: fc.constantFrom("user", "assistant"), content });
const tool = fc.record({
  name: fc.constantFrom("a", "b"),
  description: text,
  input_schema: fc.constant({ type: "object" }),
});
const messagesBody = fc.record(
  {
    max_tokens: fc.constantFrom(100, 5_000),
    system: content,
    tools: fc.array(tool, { maxLength: 3 }),
    messages: fc.array(turn, { minLength: 1, maxLength: 7 }),
    metadata: fc.constant({ user_id: "u" }),
    temperature: fc.constant(1),
  },
  { requiredKeys: ["max_tokens", "messages"] },
);
const chatBody = fc.record(
  {
    messages: fc.array(fc.record({ role: fc.constantFrom("system", "user", "assistant"), content: text }), {
      minLength: 1,
      maxLength: 7,
    }),
    temperature: fc.constant(0.5),
  },
  { requiredKeys: ["messages"] },
);
const responsesBody = chatBody.map(({ messages }) => ({ input: messages }));
const ROUTER: SentRequest = { provider: "openai-compatible", model: "anthropic/claude-sonnet-4.5" };

describe("nothing but the marks changes", () => {
  it.each<[string, DialectName, fc.Arbitrary<Json>, SentRequest]>([
    ["from Messages to Anthropic", "messages", messagesBody, {}],
    ["from Messages to Anthropic, within a limit", "messages", messagesBody, { bound: 50 }],
    ["from chat to Anthropic", "chat", chatBody, {}],
    ["from Responses to Anthropic", "responses", responsesBody, {}],
    ["from chat to a router", "chat", chatBody, ROUTER],
    ["from Messages to a router", "messages", messagesBody, ROUTER],
  ])("%s", (_name, dialect, bodies, request) => {
    let marked = 0;
    fc.assert(
      fc.property(bodies, fc.constantFrom(0, 1), (body, spaces) => {
        const written = JSON.stringify({ model: request.model ?? "claude-sonnet-5", ...body }, null, spaces);
        let plain: string;
        try {
          plain = sent(written, dialect, false, request);
        } catch {
          // What cannot be said in the provider's dialect.
          return;
        }
        const cached = sent(written, dialect, true, request);
        expect(read(JSON.parse(cached))).toEqual(read(JSON.parse(plain)));
        expect(marksIn(cached)).toBeLessThanOrEqual(4);
        if (marksIn(cached) > 0) marked += 1;
        else expect(cached).toBe(plain);
      }),
      { numRuns: 150 },
    );
    expect(marked).toBeGreaterThan(20);
  });

  it("of the client's own bytes, in any order and spacing", () => {
    const words = JSON.stringify(LONG).replaceAll("quick", "\\u0071uick");
    const before = `{ "messages" : [ {"content": ${words} , "role":"user","x":1.50} ],\n "temperature":1.0,"system":[ { "text":${words},"type":"text" } ],"seed":9007199254740993, "model":"claude-sonnet-5","max_tokens":5 }`;
    const after = before
      .replace(`"content": ${words}`, `"content": [{"type":"text","text":${words},${MARK}}]`)
      .replace('{ "text"', `{${MARK}, "text"`);
    expect(sent(before, "messages", true)).toBe(after);
    expect(sent(before, "messages", false)).toBe(before);
  });
});

describe("no byte changes", () => {
  const long = { model: "claude-sonnet-5", max_tokens: 5, system: LONG, messages: [{ role: "user", content: LONG }] };
  const block = { type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "1h" } };
  const marked = (more: Json): Json => ({ ...long, ...more });

  it.each<[string, Json]>([
    ["on the request", marked({ cache_control: { type: "ephemeral" } })],
    ["in the system prompt", marked({ system: [{ type: "text", text: LONG }, block] })],
    ["in a message", marked({ messages: [{ role: "user", content: [block] }] })],
    ["on a tool", marked({ tools: [{ name: "a", input_schema: {}, cache_control: { type: "ephemeral" } }] })],
  ])("where the client marks %s", (_name, body) => {
    const written = JSON.stringify(body);
    expect(sent(written, "messages", true)).toBe(written);
  });

  it("where the client of another dialect marks what the translation does not know", () => {
    const messages = [{ role: "user", content: LONG, cache_control: { type: "ephemeral" } }];
    const written = JSON.stringify({ model: "claude-sonnet-5", messages });
    expect(sent(written, "chat", true)).toBe(sent(written, "chat", false));
    expect(marksIn(sent(written, "chat", true))).toBe(0);
  });

  it.each<[string, SentRequest]>([
    ["at a router's other models", { provider: "openai-compatible", model: "openai/gpt-5.4" }],
    ["at providers that cache by themselves", { provider: "openai", model: "gpt-5.4" }],
    ["where the price of writing is not known, which would leave the call unpriced", { ...ROUTER, price: NO_WRITES }],
    [
      "where it is not known for long prompts",
      { ...ROUTER, price: { ...WRITES, tiers: [...WRITES.tiers, { above: 1, rates }] } },
    ],
  ])("%s", (_name, request) => {
    const written = JSON.stringify({ model: request.model, messages: long.messages });
    expect(sent(written, "chat", true, request)).toBe(written);
  });

  it.each<[string, SentRequest]>([
    ["the owner's own price holds for all that is read", { ...ROUTER, price: { ...NO_WRITES, always: true } }],
    ["no price is known at all", { ...ROUTER, price: null }],
  ])("but marks are set where %s", (_name, request) => {
    const written = JSON.stringify({ model: request.model, messages: long.messages });
    expect(marksIn(sent(written, "chat", true, request))).toBe(1);
  });
});

test.each([
  ["claude-opus-4-6", 4_096],
  ["anthropic/claude-opus-4.5", 4_096],
  ["claude-haiku-4-5-20251001", 4_096],
  ["claude-opus-4-7", 2_048],
  ["anthropic/claude-3.5-haiku", 2_048],
  ["claude-sonnet-4-6", 2_048],
  ["claude-sonnet-4-5", 1_024],
  ["claude-opus-5", 1_024],
  ["claude-opus-5-5", 1_024],
])("%s caches from %i tokens on", (model, tokens) => {
  expect(providers.anthropic.messages?.cachesFrom?.(model)).toBe(tokens);
});
