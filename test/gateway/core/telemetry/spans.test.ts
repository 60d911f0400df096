import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { getRequest, getSpan, createTracesRequest } from "../../../../gateway/core/telemetry/otlp-spans.ts";
import { readTraceParent } from "../../../../gateway/core/telemetry/trace-parent.ts";
import { valuesOf } from "../../../support/otlp-receiver.ts";
import { factsWith } from "./facts.ts";

const attributesOf = (more: Partial<Receipt>) =>
  valuesOf([...getSpan({ facts: factsWith(more), parent: null }).attributes]);

describe("the span of a receipt", () => {
  it.each<[string, Partial<Receipt>, string, string]>([
    ["chat", { endpoint: "chat" }, "chat gpt-4.1", "chat"],
    ["messages", { endpoint: "messages" }, "chat gpt-4.1", "chat"],
    ["responses", { endpoint: "responses" }, "chat gpt-4.1", "chat"],
    ["embeddings", { endpoint: "embeddings", model: "e" }, "embeddings e", "embeddings"],
    ["images", { endpoint: "images", model: "i" }, "generate_content i", "generate_content"],
    ["a transcript", { endpoint: "transcriptions", model: "w" }, "generate_content w", "generate_content"],
    ["a moderation", { endpoint: "moderations", model: "o" }, "moderation o", "moderation"],
    [
      "an endpoint that later versions wrote",
      { endpoint: "constructor", model: "x" },
      "generate_content x",
      "generate_content",
    ],
    ["a web search", { endpoint: "search", model: "search" }, "web_search", "web_search"],
  ])("of %s is named by its operation and model", (_what, more, name, operation) => {
    expect(getSpan({ facts: factsWith(more), parent: null }).name).toBe(name);
    expect(attributesOf(more)["gen_ai.operation.name"]).toBe(operation);
  });

  it("has the tokens of a side as one figure, with what was cached and reasoned in it", () => {
    expect(attributesOf({})).toMatchObject({
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.cache_read.input_tokens": 30,
      "gen_ai.usage.output_tokens": 25,
      "gen_ai.usage.reasoning.output_tokens": 5,
      "postern.cost_usd": 0.000355,
    });
    const written = { nano_per_million: 0, nano: 0 };
    const terms: Receipt["terms"] = [
      { unit: "cache_write", quantity: 7, ...written },
      { unit: "cache_write_1h", quantity: 3, ...written },
    ];
    expect(attributesOf({ terms })).toMatchObject({
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.cache_creation.input_tokens": 10,
    });
  });

  it("has no figure for what was not used, and no cost for what has no price", () => {
    const attributes = attributesOf({ terms: [], nano: null });
    for (const key of ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "postern.cost_usd"]) {
      expect(attributes).not.toHaveProperty(key);
    }
  });

  it.each<[Partial<Receipt>, string | undefined, object]>([
    [{}, undefined, {}],
    [{ outcome: "failed", status: 429, code: "rate_limit_exceeded" }, "rate_limit_exceeded", { code: 2 }],
    [{ outcome: "failed", status: 503, code: null }, "503", { code: 2 }],
    [{ outcome: "interrupted", status: 200, code: null }, "interrupted", { code: 2 }],
    [{ outcome: "unknown", status: 0, code: "unknown_outcome" }, "unknown_outcome", { code: 2 }],
    [{ outcome: "cancelled", status: 499, code: "client_closed" }, "client_closed", {}],
  ])("that ended as %j has the error %s", (more, error, status) => {
    expect(attributesOf(more)["error.type"]).toBe(error);
    expect(getSpan({ facts: factsWith(more), parent: null }).status).toEqual(status);
  });

  it("names the route and its rule, and the session, project and agent of receipts that know them", () => {
    const groups = { session: "s-1", project: "postern", agent: "explore" };
    const more = { route: { name: "fast", rule: 2, passed: [] }, ...groups } as Partial<Receipt>;
    expect(attributesOf(more)).toMatchObject({
      "postern.route.name": "fast",
      "postern.route.rule": 2,
      "postern.session": "s-1",
      "gen_ai.conversation.id": "s-1",
      "postern.project": "postern",
      "postern.agent": "explore",
    });
  });

  it("begins as long before its end as the call took, to the tenth of a millisecond", () => {
    const span = getSpan({ facts: factsWith({ at: 1_795_500_000_123, ms: 44_999.9 }), parent: null });
    expect(span.endTimeUnixNano).toBe("1795500000123000000");
    expect(span.startTimeUnixNano).toBe("1795499955123100000");
  });

  it("has the same ids when it is sent again, and one trace for all turns of a request", () => {
    const of = (id: string) => getSpan({ facts: factsWith({ id }), parent: null });
    const id = "req_c697aa5b-90c5-4a70-ae1f-b9e74f34f609";
    expect(of(id)).toEqual(of(id));
    const turns = [id, `${id}-2`, `${id}-s1`].map(of);
    expect(new Set(turns.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(turns.map(({ spanId }) => spanId)).size).toBe(3);
    expect(of("req_d697aa5b-90c5-4a70-ae1f-b9e74f34f609").traceId).not.toBe(turns[0]?.traceId);
    expect(getRequest(`${id}-s12`)).toBe(id);
    expect(getRequest("something else")).toBe("something else");
  });

  it("is below the client's span where it named one", () => {
    const parent = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
    const span = getSpan({ facts: factsWith(), parent });
    expect(span).toMatchObject({ traceId: parent.traceId, parentSpanId: parent.spanId, flags: 0x301 });
    const alone = getSpan({ facts: factsWith(), parent: null });
    expect(alone).not.toHaveProperty("parentSpanId");
    expect(alone.flags).toBe(0x101);
  });

  it("comes with whose telemetry it is", () => {
    const request = createTracesRequest([{ facts: factsWith(), parent: null }], {
      version: "1.2.3",
      instance: "one",
      host: "laptop",
    });
    const [one] = request.resourceSpans;
    expect(valuesOf([...(one?.resource.attributes ?? [])])).toEqual({
      "service.name": "postern",
      "service.version": "1.2.3",
      "service.instance.id": "one",
      "host.name": "laptop",
    });
  });
});

describe("traceparent", () => {
  const TRACE = "0af7651916cd43dd8448eb211c80319c";
  const SPAN = "b7ad6b7169203331";
  const read = { traceId: TRACE, spanId: SPAN };

  it.each<[string, unknown]>([
    [`00-${TRACE}-${SPAN}-01`, read],
    [`00-${TRACE}-${SPAN}-00`, read],
    // A later version may say more.
    [`cc-${TRACE}-${SPAN}-01-what-comes`, read],
    [`00-${TRACE}-${SPAN}-01-more`, null],
    [`ff-${TRACE}-${SPAN}-01`, null],
    [`00-${"0".repeat(32)}-${SPAN}-01`, null],
    [`00-${TRACE}-${"0".repeat(16)}-01`, null],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`, null],
    [`00-${TRACE}-${SPAN}`, null],
    [`00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`, null],
    [`cc-${TRACE}-${SPAN}-01-${"x".repeat(600)}`, null],
    ["", null],
  ])("%s", (header, expected) => {
    expect(readTraceParent(header)).toEqual(expected);
  });
});
