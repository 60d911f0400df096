import { beforeAll, expect, it } from "vitest";
import { reply } from "../../support/wire-provider.ts";
import { useGateway, useWire } from "../../support/use-gateway.ts";

/** "Other chat uses listed for this path": long contexts with thinking, video and sound by their addresses. */

const ROUTE = "POST /compatible-mode/v1/chat/completions";
const wire = useWire();
beforeAll(() => {
  const message = { role: "assistant", content: "A cat.", reasoning_content: "I see fur." };
  const usage = { prompt_tokens: 700, completion_tokens: 5, total_tokens: 705 };
  wire.on(ROUTE, reply(200, { id: "c", choices: [{ index: 0, message, finish_reason: "stop" }], usage }));
});
const postern = useGateway(() => ({
  env: { POSTERN_DASHSCOPE_BASE_URL: wire.origin, POSTERN_DASHSCOPE_API_KEY: "sk-dashscope-0001" },
}));

it("blocks of video and sound reach DashScope as they are", async () => {
  const content = [
    { type: "text", text: "What is it about?" },
    { type: "video_url", video_url: { url: "https://example.com/a.mp4" } },
    { type: "audio_url", audio_url: { url: "https://example.com/a.mp3" } },
    { type: "input_audio", input_audio: { data: "data:audio/mp3;base64,AAAA", format: "mp3" } },
    { type: "file", file: { file_data: "data:application/pdf;base64,AAAA", filename: "a.pdf" } },
  ];
  const response = await postern.chat({
    model: "qwen-plus",
    messages: [{ role: "user", content }],
    enable_thinking: true,
    thinking_budget: 500,
  });
  const body = (await response.json()) as { choices: [{ message: { reasoning_content: string } }] };
  expect(response.status).toBe(200);
  expect(body.choices[0].message.reasoning_content).toBe("I see fur.");
  expect(wire.seen[0]?.json).toMatchObject({
    messages: [{ role: "user", content }],
    enable_thinking: true,
    thinking_budget: 500,
  });
});
