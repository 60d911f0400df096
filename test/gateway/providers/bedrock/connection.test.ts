import { beforeEach, describe, expect, it } from "vitest";
import { providers } from "../../../../gateway/providers/registry.ts";
import { completionBody } from "../../../support/acts.ts";
import { errorOf } from "../../../support/running-gateway.ts";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const wire = useWire();
const postern = useGateway(() => ({
  env: { POSTERN_BEDROCK_BASE_URL: wire.origin, POSTERN_BEDROCK_API_KEY: "ABSK-bedrock-0001" },
}));

const CLAUDE = "anthropic.claude-haiku-4-5";
const GPT = "openai.gpt-5.6-luna";
const OSS = "openai.gpt-oss-120b";
const GEMMA = "google.gemma-4-31b";
const LIST = [CLAUDE, GPT, OSS, GEMMA, "xai.grok-4.3", "deepseek.v3.2"];

const message = {
  id: "msg_bdrk_01",
  type: "message",
  role: "assistant",
  model: "claude-haiku-4-5",
  content: [{ type: "text", text: "Hello from Claude." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 11, output_tokens: 5 },
};
const response = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: GPT,
  output: [
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Hello from GPT.", annotations: [] }],
    },
  ],
  usage: { input_tokens: 11, output_tokens: 5, total_tokens: 16 },
};
const SURFACES = {
  claude: "POST /anthropic/v1/messages",
  gpt: "POST /openai/v1/responses",
  oss: "POST /v1/chat/completions",
  gemma: "POST /openai/v1/chat/completions",
};
const user = [{ role: "user", content: "Hello" }];

beforeEach(() => {
  wire.reset();
  wire
    .on("GET /v1/models", reply(200, { object: "list", data: LIST.map((id) => ({ id, object: "model" })) }))
    .on(SURFACES.claude, reply(200, message))
    .on(SURFACES.gpt, reply(200, response))
    .on(SURFACES.oss, reply(200, completionBody("Hello from an open model.")))
    .on(SURFACES.gemma, reply(200, completionBody("Hello from Gemma.")));
});

describe("a model at its own surface", () => {
  const bodies = {
    "/chat/completions": (model: string) => ({ model, messages: user }),
    "/messages": (model: string) => ({ model, messages: user, max_tokens: 100 }),
    "/responses": (model: string) => ({ model, input: "Hello" }),
  } as const;
  const rows = [
    [CLAUDE, SURFACES.claude, "Hello from Claude."],
    [GPT, SURFACES.gpt, "Hello from GPT."],
    [OSS, SURFACES.oss, "Hello from an open model."],
    ["deepseek.v3.2", SURFACES.oss, "Hello from an open model."],
    [GEMMA, SURFACES.gemma, "Hello from Gemma."],
    ["xai.grok-4.3", SURFACES.gpt, "Hello from GPT."],
  ] as const;

  it.each(rows.flatMap((row) => Object.keys(bodies).map((path) => [path as keyof typeof bodies, ...row] as const)))(
    "Serves %s with %s by %s",
    async (path, model, surface, text) => {
      const answered = await postern.post(path, bodies[path](model));
      expect([answered.status, await answered.text()]).toEqual([200, expect.stringContaining(text)]);
      const [seen, ...others] = wire.seen;
      expect([`${seen?.method} ${seen?.path}`, others.length]).toEqual([surface, 0]);
      expect(seen?.json).toMatchObject({ model });
      const isClaude = model === CLAUDE;
      expect(seen?.headers).toMatchObject(
        isClaude
          ? { "x-api-key": "ABSK-bedrock-0001", "anthropic-version": "2023-06-01" }
          : { authorization: "Bearer ABSK-bedrock-0001" },
      );
      if (isClaude) expect(seen?.headers).not.toHaveProperty("authorization");
      // No price of an owner holds at this host.
      expect(await postern.receipt()).toMatchObject({ provider: "bedrock", nano: null, outcome: "completed" });
    },
  );
});

it("Streams Claude's events to a chat client", async () => {
  const frames = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ].map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  wire.on(SURFACES.claude, replyEvents(...frames));
  const text = await (await postern.post("/chat/completions", { model: CLAUDE, messages: user, stream: true })).text();
  expect(text).toContain('"content":"Hi"');
  expect(text.trimEnd()).toMatch(/\[DONE\]$/);
});

it("Has the tokens of a prompt for Claude counted there", async () => {
  wire.on("POST /anthropic/v1/messages/count_tokens", reply(200, { input_tokens: 1_234 }));
  const counted = await postern.post("/messages/count_tokens", { model: CLAUDE, messages: user });
  expect(await counted.json()).toEqual({ input_tokens: 1_234 });
});

it.each([
  ["/messages/count_tokens", { model: OSS, messages: user }],
  ["/responses/input_tokens", { model: GPT, input: "Hello" }],
])("Counts the tokens of %s for other models here", async (path, body) => {
  expect((await postern.post(path, body)).status).toBe(200);
  expect(wire.seen).toEqual([]);
});

it("Lists what the endpoint lists, with the catalog's facts of a model", async () => {
  await postern.post("/chat/completions", { model: CLAUDE, messages: user });
  const list = await fetch(`${postern.url}/v1/models`, {
    headers: { authorization: "Bearer sk-test-unlimited-key-0001" },
  });
  const { data } = (await list.json()) as { data: { id: string; context_length: number | null; pricing: unknown }[] };
  expect(data.map(({ id }) => id).toSorted()).toEqual(LIST.toSorted());
  expect(data.find(({ id }) => id === CLAUDE)).toMatchObject({ context_length: 200_000, pricing: null });
});

it("Says that a model is not served by the surface that was asked", async () => {
  wire.on(SURFACES.oss, reply(400, { error: { message: `model ${OSS} isn't supported on this route` } }));
  const refused = await postern.post("/chat/completions", { model: OSS, messages: user });
  expect([refused.status, (await errorOf(refused)).code]).toEqual([404, "model_not_found"]);
});

const anthropics = (type: string, text: string) => ({ type: "error", error: { type, message: text } });

it.each([
  [
    400,
    { error: { message: "The model 'openai.gpt-6-luna' does not support the '/v1/chat/completions' API" } },
    "model_not_found",
  ],
  [400, { error: { message: "temperature: not supported", type: "invalid_request_error" } }, "bad_request"],
  [401, { message: "Invalid API key" }, "auth"],
  [403, { error: { code: "access_denied", message: "not authorized", type: "permission_denied_error" } }, "auth"],
  [429, { error: { code: "rate_limit_exceeded", message: "Too many tokens" } }, "rate"],
  [503, null, "overload"],
  [429, anthropics("rate_limit_error", "Too many tokens"), "rate"],
  [529, anthropics("overloaded_error", "Overloaded"), "overload"],
  [404, anthropics("not_found_error", "model: claude-x"), "model_not_found"],
  [403, anthropics("permission_error", "claude-opus-5-5 is not available for this account."), "model_not_found"],
])("Reads a refusal with status %i and %j as %s", (status, body, kind) => {
  expect(providers.bedrock.errors.fromResponse(status, {}, body).kind).toBe(kind);
});

it.each([
  "https://bedrock-mantle.eu-west-1.api.aws",
  "https://bedrock-mantle.eu-west-1.api.aws/",
  "https://bedrock-mantle.eu-west-1.api.aws/v1",
  "https://bedrock-mantle.eu-west-1.api.aws/openai/v1/",
  "https://bedrock-mantle.eu-west-1.api.aws/openai/v1/responses",
  "https://bedrock-mantle.eu-west-1.api.aws/anthropic",
  "https://bedrock-mantle.eu-west-1.api.aws/anthropic/v1/messages",
])("Reads %s as the region's endpoint", (url) => {
  expect(providers.bedrock.normalizeBaseUrl(new URL(url))).toBe("https://bedrock-mantle.eu-west-1.api.aws");
});
