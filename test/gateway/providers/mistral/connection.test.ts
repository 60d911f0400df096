import { expect, it } from "vitest";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const wire = useWire();

const postern = useGateway(() => ({
  env: { POSTERN_MISTRAL_BASE_URL: wire.origin, POSTERN_MISTRAL_API_KEY: "m-key" },
}));

const ROUTE = "POST /v1/chat/completions";
const body = { model: "mistral-small-latest", messages: [{ role: "user", content: "Hi" }] };
const chunk = (choice: object, usage?: object): string =>
  `data: ${JSON.stringify({
    id: "c",
    object: "chat.completion.chunk",
    created: 1_790_000_000,
    model: "mistral-small-latest",
    choices: [{ index: 0, finish_reason: null, ...choice }],
    ...(usage === undefined ? {} : { usage }),
  })}\n\n`;
const usage = {
  prompt_tokens: 10,
  completion_tokens: 2,
  total_tokens: 12,
  prompt_tokens_details: { cached_tokens: 4 },
};

it("is billed by the usage of its last chunk, which it is not asked for, and whose end the client is shown", async () => {
  wire.on(
    ROUTE,
    replyEvents(
      chunk({ delta: { role: "assistant", content: "Hello" } }),
      chunk({ delta: { content: "" }, finish_reason: "stop" }, usage),
      "data: [DONE]\n\n",
    ),
  );
  const text = await (await postern.post("/chat/completions", { ...body, stream: true })).text();
  expect(wire.seen.at(-1)?.json).toEqual({ ...body, stream: true });
  expect(wire.seen.at(-1)?.headers.authorization).toBe("Bearer m-key");
  expect(text).toContain('"finish_reason":"stop"');
  expect(text).toContain("data: [DONE]");
  const { terms, estimated } = await postern.receipt();
  expect(estimated).toBe(false);
  expect(Object.fromEntries(terms.map(({ unit, quantity }) => [unit, quantity]))).toEqual({
    input: 6,
    cached_input: 4,
    output: 2,
  });
});

it("has its list of what is wrong reported in words", async () => {
  const detail = [{ type: "extra_forbidden", loc: ["body", "logprobs"], msg: "Extra inputs are not permitted" }];
  wire.on(ROUTE, reply(422, { object: "error", message: { detail }, type: "invalid_request_error" }));
  const response = await postern.post("/chat/completions", { ...body, logprobs: true });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining("logprobs: Extra inputs are not permitted"), param: "logprobs" },
  });
});
