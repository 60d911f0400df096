import { describe, expect, it } from "vitest";
import { requests, useSandbox } from "./running-sandbox.ts";

/** What a prompt can ask the sandbox for, in each dialect alike. */

const running = useSandbox();

const DIALECTS = {
  chat: {
    path: "/openai-compatible/v1/chat/completions",
    body: (prompt: string): object => ({ model: "plain-model", messages: requests(prompt) }),
    words: '"content":',
  },
  messages: {
    path: "/anthropic/v1/messages",
    body: (prompt: string): object => ({ model: "claude-model", max_tokens: 1_000, messages: requests(prompt) }),
    words: "event: content_block_delta",
  },
  responses: {
    path: "/openai/v1/responses",
    body: (prompt: string): object => ({ model: "plain-model", input: prompt }),
    words: "event: response.output_text.delta",
  },
} as const;
type Dialect = keyof typeof DIALECTS;

function send(dialect: Dialect, prompt: string, stream = false): Promise<Response> {
  const { path, body } = DIALECTS[dialect];
  return fetch(`${running.sandbox.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${running.sandbox.key}`, "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ ...body(prompt), stream }),
  });
}

const OPENAI: readonly (readonly [status: number, type: string, code: string | null])[] = [
  [400, "invalid_request_error", null],
  [401, "invalid_request_error", "invalid_api_key"],
  [402, "insufficient_quota", "insufficient_quota"],
  [403, "permission_error", null],
  [418, "invalid_request_error", null],
  [429, "requests", "rate_limit_exceeded"],
  [500, "server_error", null],
  [503, "service_unavailable_error", "slow_down"],
  [529, "overloaded_error", null],
];
const ANTHROPIC: readonly (readonly [status: number, type: string])[] = [
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [500, "api_error"],
  [502, "api_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
];
const message = (status: number): unknown => expect.stringContaining(String(status));

it.each<[Dialect, number, object]>([
  ...(["chat", "responses"] as const).flatMap((dialect) =>
    OPENAI.map(([status, type, code]): [Dialect, number, object] => [
      dialect,
      status,
      { error: { message: message(status), type, param: null, code } },
    ]),
  ),
  ...ANTHROPIC.map(([status, type]): [Dialect, number, object] => [
    "messages",
    status,
    { type: "error", error: { type, message: message(status) }, request_id: expect.stringMatching(/^req_\w+$/) },
  ]),
])("%s fails with status %i in its own envelope, streamed or not", async (dialect, status, body) => {
  for (const stream of [true, false]) {
    const response = await send(dialect, `please sandbox:error=${status}`, stream);
    expect([response.status, response.headers.get("retry-after")]).toEqual([status, status === 429 ? "1" : null]);
    expect(await response.json()).toEqual(body);
  }
});

describe.each(Object.keys(DIALECTS) as Dialect[])("%s", (dialect) => {
  it("takes as long as reported, streamed or not", async () => {
    for (const stream of [true, false]) {
      const start = performance.now();
      await (await send(dialect, "sandbox:slow=200", stream)).text();
      expect(performance.now() - start).toBeGreaterThanOrEqual(195);
    }
  });

  it("breaks a stream after its first words, and the connection before a response that is not streamed", async () => {
    const response = await send(dialect, "sandbox:cut", true);
    let received = "";
    const read = async (): Promise<void> => {
      for await (const part of response.body ?? []) received += Buffer.from(part).toString();
    };
    await expect(read()).rejects.toThrow("terminated");
    expect(received.trimEnd().split("\n\n").at(-1)).toContain(DIALECTS[dialect].words);
    await expect(send(dialect, "sandbox:cut")).rejects.toThrow("fetch failed");
  });

  it.each([true, false])("says the same to the same request, and something else to another: %s", async (stream) => {
    const [one, two, other] = await Promise.all(
      ["a", "a", "b"].map(async (prompt) => (await send(dialect, prompt, stream)).text()),
    );
    expect(two).toBe(one);
    expect(other).not.toBe(one);
  });
});
