import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Clock } from "../../../../gateway/lib/clock.ts";
import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import { failure } from "../../../support/acts.ts";
import { modelList, startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { samplesOf, wavFile } from "../../../support/sound.ts";

/** A refused key is asked again after a second: here none passes. */
const STILL: Clock = { now: () => Date.now(), monotonic: () => 1_000 };

const OTHER = "sk-test-other-key-00001";
const SAID = "words about somebody else";
const MESSAGES = [{ role: "user", content: "x" }];

/** What each endpoint is asked, at a provider whose key was refused when another client asked. */
const ENDPOINTS: readonly (readonly [path: string, body: Readonly<Record<string, unknown>>])[] = [
  ["/chat/completions", { model: "gpt-4.1", messages: MESSAGES }],
  ["/chat/completions", { model: "gpt-4.1", messages: MESSAGES, stream: true }],
  ["/messages", { model: "gpt-4.1", max_tokens: 5, messages: MESSAGES }],
  ["/responses", { model: "gpt-4.1", input: "x" }],
  ["/embeddings", { model: "text-embedding-3-small", input: "x" }],
  ["/audio/speech", { model: "tts-1", input: "x", voice: "alloy" }],
  ["/moderations", { model: "omni-moderation-latest", input: "x" }],
  ["/images/generations", { model: "gpt-image-1", prompt: "x" }],
  ["/images/edits", { model: "gpt-image-1", prompt: "x", images: [{ file_id: "file-1" }] }],
  ["/videos/generations", { model: "sora-2", prompt: "x" }],
];
const TOOLS: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[] = [
  ["chat", { model: "gpt-4.1", prompt: "x" }],
  ["generate_image", { model: "gpt-image-1", prompt: "x" }],
  ["transcribe_audio", { model: "whisper-1", audio: wavFile(samplesOf(1)).toString("base64") }],
  ["synthesize_speech", { model: "tts-1", input: "x", voice: "alloy" }],
];

describe.each([
  ["refused its key", failure(401, { message: SAID, code: "invalid_api_key" })],
  ["was out of credit", failure(429, { message: SAID, code: "insufficient_quota" })],
])("a provider that %s for another client", (_how, act) => {
  let provider: MockProvider;
  let postern: TestGateway;
  beforeAll(async () => {
    provider = await startProvider();
    provider.list = modelList([
      "gpt-4.1",
      "text-embedding-3-small",
      "tts-1",
      "gpt-image-1",
      "sora-2",
      "whisper-1",
      "omni-moderation-latest",
    ]);
    provider.usual = act;
    postern = await startGateway({ provider, keys: [{ key: OTHER, name: "other" }], clock: STILL });
    const first = await postern.chat({ model: "gpt-4.1", messages: MESSAGES }, OTHER);
    expect(await first.text()).toContain(SAID);
  });
  afterAll(async () => {
    await postern.close();
    await provider.close();
  });

  it.each(ENDPOINTS)("is not quoted at %s: %j", async (path, body) => {
    const response = await postern.post(path, body);
    const text = await response.text();
    expect([502, 503]).toContain(response.status);
    expect(text).not.toContain(SAID);
    expect(text).toMatch(/refuses the key|out of credit/);
  });

  it.each(TOOLS)("is not quoted by the tool %s: %j", async (tool, input) => {
    const key = (await postern.keyView("unlimited")).id;
    const text = await (await postern.control("POST", "/mcp/call", { key, tool, arguments: input })).text();
    expect(text).not.toContain(SAID);
    expect(text).toMatch(/refuses the key|out of credit/);
  });

  it("is quoted to its owner", async () => {
    const { data } = await postern.ask<{ data: ConnectionView[] }>("GET", "/connections");
    expect(JSON.stringify(data)).toContain(SAID);
  });
});
