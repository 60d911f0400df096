import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { errorOf, startGateway, type TestGateway } from "../../support/running-gateway.ts";
import { WireProvider, reply } from "../../support/wire-provider.ts";

export const CHAT_ROUTE = "POST /v1/chat/completions";
export const COMPLETION = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_741_570_283,
  model: "gpt-4.1-2025-04-14",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello.", refusal: null }, finish_reason: "stop" }],
  usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
};
export const USER = { role: "user", content: "Say hello." };
export const BODY = { model: "gpt-4.1", messages: [USER] };

/** OpenAI behind a gateway for the tests of one file: what reaches it, and what is refused before it is asked. */
export function useChatProvider() {
  const wire = new WireProvider();
  let postern: TestGateway;
  beforeAll(async () => {
    await wire.listen();
    postern = await startGateway({
      env: { POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`, POSTERN_OPENAI_API_KEY: "sk-openai-0001" },
    });
  });
  beforeEach(() => {
    wire.reset();
    wire.on(CHAT_ROUTE, reply(200, COMPLETION));
  });
  afterAll(async () => {
    await postern.close();
    await wire.close();
  });
  return {
    wire,
    get postern(): TestGateway {
      return postern;
    },
    /** What reaches the provider for a request that is answered. */
    async sent(extra: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
      const response = await postern.chat({ ...BODY, ...extra });
      const text = await response.text();
      expect([response.status, text]).toEqual([200, expect.anything()]);
      expect(wire.seen).toHaveLength(1);
      return wire.seen[0]?.json as Record<string, unknown>;
    },
    async refused(extra: Readonly<Record<string, unknown>>): ReturnType<typeof errorOf> {
      const response = await postern.chat({ ...BODY, ...extra });
      const error = await errorOf(response);
      expect([response.status, error.type, wire.seen.length], JSON.stringify(extra)).toEqual([
        400,
        "invalid_request_error",
        0,
      ]);
      return error;
    },
  };
}
