import { afterEach, describe, expect, it } from "vitest";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply, replyEvents, type WireAct } from "../../../support/wire-provider.ts";

/** How providers end a response, and what that is to clients of each dialect. */

const wire = useWire();
const clock = new TestClock();
const list = (): void => void wire.on("GET /v1/models", reply(200, { object: "list", data: [{ id: "m" }] }));
const postern = useGateway(() => {
  list();
  const env = { POSTERN_COMPATIBLE_BASE_URL: `${wire.origin}/v1`, POSTERN_COMPATIBLE_API_KEY: "k" };
  return { clock, env };
});
afterEach(() => {
  wire.reset();
  list();
  clock.advance(10 * 60_000);
});

const messages = [{ role: "user", content: "x" }];
const DIALECTS = [
  ["chat", "/chat/completions", { model: "m", messages }],
  ["messages", "/messages", { model: "m", max_tokens: 50, messages }],
  ["responses", "/responses", { model: "m", input: "x" }],
] as const;
type Dialect = readonly [name: string, path: string, body: object];

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, rest: object = {}): string =>
  event({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: null, ...rest }] });
const ROLE = chunk({ role: "assistant", content: "" });
const HALF = chunk({ content: "The first half of" });
const DONE = "data: [DONE]\n\n";
const GOOD = [ROLE, chunk({ content: "All of it." }), chunk({}, { finish_reason: "stop" }), DONE];
const answers = (...acts: readonly WireAct[]): void => void wire.on("POST /v1/chat/completions", ...acts);
const streamed = async ([, path, body]: Dialect): Promise<{ status: number; text: string }> => {
  const response = await postern.post(path, { ...body, stream: true });
  return { status: response.status, text: await response.text() };
};

const FAILURES: readonly (readonly [string, object])[] = [
  ["network_error", { finish_reason: "network_error" }],
  ["error", { finish_reason: "error" }],
  ["insufficient_system_resource", { finish_reason: "insufficient_system_resource" }],
  ["a native network_error behind stop", { finish_reason: "stop", native_finish_reason: "network_error" }],
  ["an error of the choice", { finish_reason: "error", error: { code: 502, message: "Provider returned error" } }],
];

describe.each(DIALECTS)("%s", (...dialect) => {
  const [name, path, body] = dialect;

  it.each(FAILURES)("an end by %s before anything was said is asked again", async (_reason, end) => {
    answers(replyEvents(ROLE, chunk({ content: "" }, end), DONE), replyEvents(...GOOD));
    const { status, text } = await streamed(dialect);
    expect([status, wire.seen.length]).toEqual([200, 2]);
    expect(text).toContain("All of it.");
    expect(text).not.toMatch(/event: error|"error":\{/);
  });

  it.each(FAILURES)("an end by %s in the middle is an error, and no end", async (_reason, end) => {
    answers(replyEvents(ROLE, HALF, chunk({ content: "" }, end), DONE));
    const { text } = await streamed(dialect);
    expect(text).toContain("The first half of");
    expect(text).toMatch(/event: error|"error":\{/);
    expect(text).not.toMatch(/end_turn|response\.completed|"finish_reason":"stop"|\[DONE\]/);
    expect(wire.seen).toHaveLength(1);
    expect(await postern.receipt()).toMatchObject({ outcome: "interrupted" });
  });

  it.each(FAILURES)("a whole response that ended by %s is asked for again", async (_reason, end) => {
    const choice = { index: 0, message: { role: "assistant", content: "" } };
    answers(
      reply(200, { choices: [{ ...choice, ...end }] }),
      reply(200, { choices: [{ ...choice, message: { role: "assistant", content: "All." }, finish_reason: "stop" }] }),
    );
    const response = await postern.post(path, body);
    expect([response.status, wire.seen.length]).toEqual([200, 2]);
    expect(await response.text()).toContain("All.");
  });

  it.each([
    ["length", "length"],
    ["MAX_TOKENS", "length"],
    ["model_length", "length"],
    ["sensitive", "filtered"],
    ["SAFETY", "filtered"],
    ["content_filter", "filtered"],
    ["stop", "stop"],
    ["eos", "stop"],
  ])("says of %s what every dialect says of it: %s", async (reason, meaning) => {
    answers(replyEvents(ROLE, HALF, chunk({}, { finish_reason: reason }), DONE));
    const { text } = await streamed(dialect);
    const message = {
      chat: { length: '"finish_reason":"length"', filtered: "content_filter", stop: '"finish_reason":"stop"' },
      messages: { length: '"stop_reason":"max_tokens"', filtered: '"stop_reason":"refusal"', stop: "end_turn" },
      responses: { length: '"reason":"max_output_tokens"', filtered: '"reason":"content_filter"', stop: "completed" },
    } as const;
    expect(text).toContain(message[name][meaning as "length" | "filtered" | "stop"]);
  });

  it("takes an empty finish reason for none", async () => {
    answers(replyEvents(ROLE, chunk({ content: "One " }, { finish_reason: "" }), chunk({ content: "two" })));
    const { text } = await streamed(dialect);
    expect(text).toContain("two");
    expect(text).toMatch(/event: error|"error":\{/);
  });

  it("passes over events of nothing", async () => {
    answers(replyEvents(ROLE, "data:\n\n", HALF, "data: \n\n", chunk({}, { finish_reason: "stop" }), DONE));
    const { text } = await streamed(dialect);
    expect(text).toContain("The first half of");
    expect(text).not.toMatch(/"error":\{|^data:\s*$/m);
  });

  it.each([
    ["moderation_blocked", { type: "image_generation_user_error", code: "moderation_blocked" }, 400],
    ["content_filter", { code: "content_filter" }, 400],
    ["context_length_exceeded", { type: "invalid_request_error", code: "context_length_exceeded" }, 400],
    ["invalid_request_error", { type: "invalid_request_error", code: null }, 400],
    ["BadRequestError", { type: "BadRequestError", code: 400 }, 400],
    ["rate_limit_exceeded", { code: "rate_limit_exceeded" }, 429],
  ])("a refusal (%s) inside a response that says 200 is the client's to know", async (_code, error, status) => {
    answers(replyEvents(event({ error: { message: "Refused.", ...error } })));
    const reported = await streamed(dialect);
    expect(reported.status).toBe(status);
    expect(reported.text).toContain("Refused.");
    if (status !== 400) return;
    expect(wire.seen).toHaveLength(1);
    const { error: shown } = JSON.parse(reported.text) as { error: { code?: string | null } };
    if (name !== "messages")
      expect(shown.code).toBe(typeof error.code === "string" ? error.code : String(error.code ?? "invalid_value"));
  });

  it("knows MiniMax's errors", async () => {
    answers(reply(200, { choices: null, base_resp: { status_code: 1008, status_msg: "insufficient balance" } }));
    const whole = await postern.post(path, body);
    expect(whole.status).toBe(503);
    expect(await whole.text()).toContain("out of credit");
    clock.advance(60_000);
    answers(replyEvents(event({ choices: [], base_resp: { status_code: 2013, status_msg: "invalid params" } })));
    expect(await streamed(dialect)).toMatchObject({
      status: 400,
      text: expect.stringContaining("invalid params") as string,
    });
  });
});
