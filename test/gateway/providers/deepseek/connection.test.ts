import { expect, it } from "vitest";
import { errorOf } from "../../../support/running-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const wire = useWire();

const postern = useGateway(() => ({
  env: { POSTERN_DEEPSEEK_BASE_URL: wire.origin, POSTERN_DEEPSEEK_API_KEY: "d-key" },
}));

const ROUTE = "POST /v1/chat/completions";
const body = { model: "deepseek-v4-flash", messages: [{ role: "user", content: "Hi" }] };

it("is billed by what hit its cache and what did not", async () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
    prompt_cache_hit_tokens: 64,
    prompt_cache_miss_tokens: 36,
    completion_tokens_details: { reasoning_tokens: 30 },
  };
  const choices = [{ index: 0, message: { role: "assistant", content: "Hello", reasoning_content: "hm" } }];
  wire.on(ROUTE, reply(200, { id: "c", object: "chat.completion", model: body.model, choices, usage }));
  expect((await postern.post("/chat/completions", body)).status).toBe(200);
  expect(wire.seen.at(-1)?.headers.authorization).toBe("Bearer d-key");
  const { terms, estimated } = await postern.receipt();
  expect(estimated).toBe(false);
  expect(Object.fromEntries(terms.map(({ unit, quantity }) => [unit, quantity]))).toEqual({
    input: 36,
    cached_input: 64,
    output: 20,
    reasoning: 30,
  });
});

it("that is out of balance is no fault of the client's", async () => {
  const error = { message: "Insufficient Balance", type: "unknown_error", param: null, code: "invalid_request_error" };
  wire.on(ROUTE, reply(402, { error }));
  const response = await postern.post("/chat/completions", body);
  expect(response.status).toBe(503);
  expect((await errorOf(response)).code).toBe("vendor_out_of_credit");
});
