import { beforeAll, expect, it } from "vitest";
import { deltaResponse, gammaResponse, gammaBody } from "../../support/image-acts.ts";
import { reply, replyBytes } from "../../support/wire-provider.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";

/** "What the service does", 4: what each kind of call is billed by. */

const wire = useWire();
beforeAll(() => {
  const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
  const message = { role: "assistant", content: "Hello." };
  wire
    .on("POST /v1/chat/completions", reply(200, { choices: [{ index: 0, message, finish_reason: "stop" }], usage }))
    .on(
      "POST /v1/embeddings",
      reply(200, {
        object: "list",
        model: "text-embedding-3-small",
        data: [{ object: "embedding", index: 0, embedding: [1, 0] }],
        usage: { prompt_tokens: 3, total_tokens: 3 },
      }),
    )
    .on("POST /v1/audio/speech", replyBytes("audio/mpeg", Buffer.from("ID3")))
    .on("POST /v1/images/generations", reply(200, deltaResponse()))
    .on(
      "POST /api/v1/services/aigc/multimodal-generation/generation",
      reply(200, gammaResponse(`${wire.origin}/result.png`)),
    );
});
const postern = useGateway(() => ({
  env: {
    POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`,
    POSTERN_OPENAI_API_KEY: "sk-openai-0001",
    POSTERN_DASHSCOPE_BASE_URL: wire.origin,
    POSTERN_DASHSCOPE_API_KEY: "sk-dashscope-0001",
  },
}));

async function billed(path: string, body: unknown): Promise<Record<string, number>> {
  const response = await postern.post(path, body);
  expect([path, response.status]).toEqual([path, 200]);
  await response.arrayBuffer();
  const { terms } = await postern.receipt();
  return Object.fromEntries((terms ?? []).map(({ unit, quantity }) => [unit, quantity]));
}

it("tokens for chat and embeddings, characters for speech, count or tokens for images", async () => {
  const messages = [{ role: "user", content: "Hello" }];
  expect(await billed("/chat/completions", { model: "gpt-4.1", messages })).toEqual({ input: 7, output: 5 });
  expect(await billed("/embeddings", { model: "text-embedding-3-small", input: "hi" })).toEqual({ input: 3 });
  expect(await billed("/audio/speech", { model: "tts-1", input: "Nine char", voice: "alloy" })).toEqual({
    character: 9,
  });
  expect(await billed("/images/generations", gammaBody("gamma-image-2.0"))).toEqual({ image: 1 });
  expect(await billed("/images/generations", { model: "delta-image-1", prompt: "A fox" })).toMatchObject({
    input: 44,
    image_output: 4_160,
  });
});
