import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { UnitClass } from "../../../gateway/contract/receipt.ts";
import { errorOf, startGateway } from "../../support/running-gateway.ts";
import type { TestGateway } from "../../support/running-gateway.ts";
import { TestClock } from "../../support/test-clock.ts";
import { WireVendor, reply, replyEvents } from "../../support/wire-vendor.ts";
import { arkStream, dashscopeStream, geminiStream, xaiStream } from "./fixtures/chat-streams.ts";

interface ChatVendor {
  readonly id: string;
  /** Behind the wire's origin, as the owner gives it. */
  readonly baseUrl: string;
  readonly path: string;
  readonly model: string;
  /** Usage of a whole answer, and how it is to be billed. */
  readonly usage: object;
  readonly billed: Partial<Record<UnitClass, number>>;
  readonly stream: readonly string[];
  readonly streamBilled: Partial<Record<UnitClass, number>>;
  /** Status and body at the vendor; status, code and words for the client. */
  readonly errors: readonly (readonly [number, unknown, number, string, string])[];
}

const native = (code: string, message: string): unknown => ({ code, message, request_id: "a4d78a5f" });
const nested = (code: string, message: string): unknown => ({
  error: { message, type: "invalid_request_error", param: null, code },
  request_id: "a4d78a5f",
});
const google = (code: number, status: string, message: string): unknown => [{ error: { code, message, status } }];
const ark = (code: string, message: string): unknown => ({ error: { code, message, param: "", type: "BadRequest" } });

const VENDORS: readonly ChatVendor[] = [
  {
    id: "DASHSCOPE",
    baseUrl: "/compatible-mode/v1",
    path: "/compatible-mode/v1/chat/completions",
    model: "qwen3.7-max",
    usage: {
      prompt_tokens: 20,
      completion_tokens: 12,
      total_tokens: 32,
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 7 },
    },
    billed: { input: 15, cached_input: 5, output: 5, reasoning: 7 },
    stream: dashscopeStream,
    streamBilled: { input: 200, cached_input: 95, output: 22, reasoning: 100 },
    errors: [
      [
        400,
        nested("data_inspection_failed", "Input data may contain inappropriate content."),
        400,
        "data_inspection_failed",
        "inappropriate",
      ],
      [401, nested("invalid_api_key", "Incorrect API key provided."), 502, "vendor_auth", "Incorrect API key"],
      [
        400,
        native("Arrearage", "Access denied, please make sure your account is in good standing."),
        503,
        "vendor_out_of_credit",
        "good standing",
      ],
      [
        403,
        native("AllocationQuota.FreeTierOnly", "The free tier of the model has been exhausted."),
        503,
        "vendor_out_of_credit",
        "free tier",
      ],
      [404, nested("model_not_found", "Model not exist."), 404, "model_not_found", "Model not exist."],
      [
        429,
        nested("insufficient_quota", "You exceeded your current quota."),
        429,
        "rate_limit_exceeded",
        "current quota",
      ],
      [503, native("ModelUnavailable", "Model is unavailable."), 503, "upstream_error", "Model is unavailable."],
    ],
  },
  {
    id: "GEMINI",
    baseUrl: "/v1beta",
    path: "/v1beta/openai/chat/completions",
    model: "gemini-3-pro-preview",
    // Thoughts are in the total alone.
    usage: { prompt_tokens: 9, completion_tokens: 28, total_tokens: 281 },
    billed: { input: 9, output: 28, reasoning: 244 },
    stream: geminiStream,
    streamBilled: { input: 9, output: 28, reasoning: 244 },
    errors: [
      [
        400,
        google(400, "INVALID_ARGUMENT", "Please use a valid role: user, model."),
        400,
        "INVALID_ARGUMENT",
        "valid role",
      ],
      [
        400,
        google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
        502,
        "vendor_auth",
        "API key not valid",
      ],
      [
        404,
        google(404, "NOT_FOUND", "models/gemini-3-pro-preview is not found"),
        404,
        "model_not_found",
        "is not found",
      ],
      [
        429,
        google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota."),
        429,
        "rate_limit_exceeded",
        "current quota",
      ],
      [503, google(503, "UNAVAILABLE", "The model is overloaded."), 503, "upstream_error", "The model is overloaded."],
    ],
  },
  {
    id: "ARK",
    baseUrl: "",
    path: "/api/v3/chat/completions",
    model: "doubao-seed-1-6",
    usage: {
      prompt_tokens: 20,
      completion_tokens: 30,
      total_tokens: 50,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 10 },
    },
    billed: { input: 16, cached_input: 4, output: 20, reasoning: 10 },
    stream: arkStream,
    streamBilled: { input: 16, cached_input: 4, output: 20, reasoning: 10 },
    errors: [
      [
        400,
        ark("InputTextSensitiveContentDetected", "The input text may contain sensitive information."),
        400,
        "InputTextSensitiveContentDetected",
        "sensitive",
      ],
      [
        401,
        ark("AuthenticationError", "The API key in the request is missing or invalid."),
        502,
        "vendor_auth",
        "missing or invalid",
      ],
      [403, ark("AccountOverdueError", "Your account is overdue."), 503, "vendor_out_of_credit", "overdue"],
      [
        404,
        ark("InvalidEndpointOrModel.NotFound", "The model does not exist."),
        404,
        "model_not_found",
        "does not exist",
      ],
      [429, ark("RateLimitExceeded.EndpointRPMExceeded", "Too many requests."), 429, "rate_limit_exceeded", "Too many"],
      [429, ark("ServerOverloaded", "The service is overloaded."), 503, "upstream_error", "overloaded"],
    ],
  },
  {
    id: "XAI",
    baseUrl: "/v1/",
    path: "/v1/chat/completions",
    model: "grok-4.5",
    usage: {
      prompt_tokens: 12,
      completion_tokens: 1,
      total_tokens: 241,
      prompt_tokens_details: { text_tokens: 12, audio_tokens: 0, image_tokens: 0, cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 228 },
      num_sources_used: 0,
      cost_in_usd_ticks: 1_176_500,
    },
    billed: { input: 10, cached_input: 2, output: 1, reasoning: 228 },
    stream: xaiStream,
    streamBilled: { input: 10, cached_input: 2, output: 1, reasoning: 228 },
    errors: [
      [422, { error: "Failed to deserialize the JSON body." }, 422, "null", "Failed to deserialize"],
      [
        400,
        { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***zz." },
        502,
        "vendor_auth",
        "Incorrect API key",
      ],
      [
        403,
        { error: { message: "Your newly created team doesn't have any credits yet." } },
        503,
        "vendor_out_of_credit",
        "any credits",
      ],
      [
        404,
        { code: "not-found", error: "The model grok-4.5 does not exist." },
        404,
        "model_not_found",
        "does not exist",
      ],
      [429, { error: "Too many requests" }, 429, "rate_limit_exceeded", "Too many"],
      [500, { error: "Internal error" }, 502, "upstream_error", "Internal error"],
    ],
  },
];

const wire = new WireVendor();
const clock = new TestClock();
let postern: TestGateway;

beforeAll(async () => {
  await wire.listen();
  const env = VENDORS.flatMap(({ id, baseUrl }) => [
    [`POSTERN_${id}_BASE_URL`, `${wire.origin}/${id.toLowerCase()}${baseUrl}`],
    [`POSTERN_${id}_API_KEY`, `${id.toLowerCase()}-vendor-key`],
  ]);
  postern = await startGateway({ clock, env: Object.fromEntries(env) as Record<string, string> });
});
afterAll(async () => {
  await postern.close();
  await wire.close();
});
afterEach(() => {
  wire.reset();
  // What a key is left alone for after an error is over.
  clock.advance(10 * 60_000);
});

describe.each(VENDORS)("$id", ({ id, path, model, usage, billed, stream, streamBilled, errors }) => {
  const route = `POST /${id.toLowerCase()}${path}`;
  const body = { model, messages: [{ role: "user", content: "Hi" }] };
  const unitsOf = async (): Promise<Partial<Record<UnitClass, number>>> => {
    const { terms, estimated } = await postern.receipt();
    expect(estimated).toBe(false);
    return Object.fromEntries(terms.map(({ unit, quantity }) => [unit, quantity]));
  };

  it("is asked where it is, with its own key and nothing of the client's, and its answer is passed on as it came", async () => {
    const answer = {
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
    wire.on(route, reply(200, answer, { "set-cookie": "a=b", "x-trace-id": "t" }));
    const response = await postern.post("/chat/completions", body, undefined, { cookie: "c=d", "x-mine": "1" });
    expect(await response.text()).toBe(JSON.stringify(answer));
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await unitsOf()).toEqual(billed);

    const [seen] = wire.seen;
    expect(seen?.json).toEqual(body);
    expect(seen?.headers.authorization).toBe(`Bearer ${id.toLowerCase()}-vendor-key`);
    for (const name of ["cookie", "x-mine", "x-api-key"]) expect(seen?.headers).not.toHaveProperty(name);
  });

  it("streams, tool calls and thoughts as it writes them", async () => {
    wire.on(route, replyEvents(...stream));
    const asked = { ...body, stream: true, stream_options: { include_usage: true } };
    const response = await postern.post("/chat/completions", asked);
    expect(await response.text()).toBe(stream.join(""));
    expect(wire.seen[0]?.json).toEqual(asked);
    expect(await unitsOf()).toEqual(streamBilled);
  });

  it("is asked for usage where the client does not ask, and the client is not shown it", async () => {
    wire.on(route, replyEvents(...stream));
    const text = await (await postern.post("/chat/completions", { ...body, stream: true })).text();
    expect(wire.seen[0]?.json).toMatchObject({ stream_options: { include_usage: true } });
    expect(text).not.toContain("prompt_tokens");
    expect(text).toContain("data: [DONE]");
    expect(await unitsOf()).toEqual(streamBilled);
  });

  it.each(errors)("%i %j is %i %s", async (status, failure, shown, code, words) => {
    wire.on(route, reply(status, failure));
    const response = await postern.post("/chat/completions", body);
    expect(response.status).toBe(shown);
    const error = await errorOf(response);
    expect(String(error.code)).toBe(code);
    expect(error.message).toContain(words);
    expect((await postern.receipt()).terms).toEqual([]);
  });
});

it("answers with the time that Google names, which is too long to wait for", async () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "94.400956798s" }];
  const exhausted = [{ error: { code: 429, message: "Quota", status: "RESOURCE_EXHAUSTED", details } }];
  wire.on("POST /gemini/v1beta/openai/chat/completions", reply(429, exhausted));
  const response = await postern.chat({ model: "gemini-2.5-flash", messages: [{ role: "user", content: "Hi" }] });
  expect(response.headers.get("retry-after")).toBe("95");
  expect(response.headers.get("x-should-retry")).toBe("false");
});
