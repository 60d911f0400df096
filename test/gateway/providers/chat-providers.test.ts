import { afterEach, describe, expect, it } from "vitest";
import type { UnitClass } from "../../../gateway/contract/receipt.ts";
import { errorOf } from "../../support/running-gateway.ts";
import { TestClock } from "../../support/test-clock.ts";
import { reply, replyEvents } from "../../support/wire-provider.ts";
import { chatProviders } from "./fixtures/chat-providers.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";

const wire = useWire();
const clock = new TestClock();

const postern = useGateway(() => {
  const env = chatProviders.flatMap(({ id, baseUrl }) => [
    [`POSTERN_${id}_BASE_URL`, `${wire.origin}/${id.toLowerCase()}${baseUrl}`],
    [`POSTERN_${id}_API_KEY`, `${id.toLowerCase()}-provider-key`],
  ]);
  return { clock, env: Object.fromEntries(env) as Record<string, string> };
});
afterEach(() => {
  wire.reset();
  // What a key is left alone for after an error is over.
  clock.advance(10 * 60_000);
});

describe.each(chatProviders)(
  "$id",
  ({ id, path, model, usage, billed, stream, shown = stream, streamBilled, errors }) => {
    const route = `POST /${id.toLowerCase()}${path}`;
    const body = { model, messages: [{ role: "user", content: "Hi" }] };
    const unitsOf = async (): Promise<Partial<Record<UnitClass, number>>> => {
      const { terms, estimated } = await postern.receipt();
      expect(estimated).toBe(false);
      return Object.fromEntries(terms.map(({ unit, quantity }) => [unit, quantity]));
    };

    it("is asked where it is, with its own key and nothing of the client's, and its response is passed on as it came", async () => {
      const result = {
        id: "2af5c888",
        object: "chat.completion",
        created: 1_770_774_046,
        model,
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: "Hello", reasoning_content: "First, ", refusal: null },
            finish_reason: "stop",
          },
        ],
        usage,
      };
      wire.on(route, reply(200, result, { "set-cookie": "a=b", "x-trace-id": "t" }));
      const response = await postern.post("/chat/completions", body, undefined, { cookie: "c=d", "x-mine": "1" });
      expect(await response.text()).toBe(JSON.stringify(result));
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(await unitsOf()).toEqual(billed);

      const [seen] = wire.seen;
      expect(seen?.json).toEqual(body);
      expect(seen?.headers.authorization).toBe(`Bearer ${id.toLowerCase()}-provider-key`);
      for (const name of ["cookie", "x-mine", "x-api-key"]) expect(seen?.headers).not.toHaveProperty(name);
    });

    it("streams, with tool calls and thoughts", async () => {
      wire.on(route, replyEvents(...stream));
      const request = { ...body, stream: true, stream_options: { include_usage: true } };
      const response = await postern.post("/chat/completions", request);
      expect(await response.text()).toBe(shown.join(""));
      expect(wire.seen[0]?.json).toEqual(request);
      expect(await unitsOf()).toEqual(streamBilled);
    });

    it("is given a developer's message as the system's, which it knows", async () => {
      wire.on(route, replyEvents(...stream));
      const messages = [{ role: "developer", content: "Be short." }, ...body.messages];
      await (await postern.post("/chat/completions", { ...body, messages, stream: true })).text();
      const known = [{ role: "system", content: "Be short." }, ...body.messages];
      expect(wire.seen[0]?.json).toMatchObject({ messages: known });
    });

    it("is asked for usage where the client does not ask, and the client is not shown it", async () => {
      wire.on(route, replyEvents(...stream));
      const text = await (await postern.post("/chat/completions", { ...body, stream: true })).text();
      expect(wire.seen[0]?.json).toMatchObject({ stream_options: { include_usage: true } });
      expect(text).not.toContain("prompt_tokens");
      expect(text).toContain("data: [DONE]");
      expect(await unitsOf()).toEqual(streamBilled);
    });

    it.each(errors)("%i %j is %i %s", async (status, failure, shownStatus, code, words) => {
      wire.on(route, reply(status, failure));
      const response = await postern.post("/chat/completions", body);
      expect(response.status).toBe(shownStatus);
      const error = await errorOf(response);
      expect(String(error.code)).toBe(code);
      expect(error.message).toContain(words);
      expect((await postern.receipt()).terms).toEqual([]);
    });
  },
);

it("answers with the time that Google names, which is too long to wait for", async () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "94.400956798s" }];
  const exhausted = [{ error: { code: 429, message: "Quota", status: "RESOURCE_EXHAUSTED", details } }];
  wire.on("POST /gemini/v1beta/openai/chat/completions", reply(429, exhausted));
  const response = await postern.chat({ model: "gemini-2.5-flash", messages: [{ role: "user", content: "Hi" }] });
  expect(response.headers.get("retry-after")).toBe("95");
  expect(response.headers.get("x-should-retry")).toBe("false");
});

describe("an error as the first event of a stream has the status that it means", () => {
  it.each([
    [
      "/dashscope/compatible-mode/v1",
      "qwen-plus",
      { error: { code: "data_inspection_failed", message: "Output data may contain inappropriate content." } },
      400,
      "data_inspection_failed",
    ],
    [
      "/gemini/v1beta/openai",
      "gemini-2.5-flash",
      { error: { code: 400, message: "Please use a valid role.", status: "INVALID_ARGUMENT" } },
      400,
      "INVALID_ARGUMENT",
    ],
    [
      "/ark/api/v3",
      "doubao-seed-1-6",
      { error: { code: "OutputTextSensitiveContentDetected", message: "Sensitive." } },
      400,
      "OutputTextSensitiveContentDetected",
    ],
    ["/xai/v1", "grok-4.5", { error: "Something went wrong." }, 502, "upstream_error"],
  ])("%s", async (path, model, event, status, code) => {
    wire.on(`POST ${path}/chat/completions`, replyEvents(`data: ${JSON.stringify(event)}\n\n`));
    const response = await postern.chat({ model, stream: true, messages: [{ role: "user", content: "Hi" }] });
    expect(response.status).toBe(status);
    expect((await errorOf(response)).code).toBe(code);
  });
});
