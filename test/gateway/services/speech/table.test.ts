import { beforeEach, describe, expect, it } from "vitest";
import { mp3Of, samplesOf, wavFile, wavOf } from "../../../support/sound.ts";
import { QWEN, qwenEnd, qwenError, qwenPiece, serveFile } from "../../../support/speech-acts.ts";
import { errorOf, providersAt } from "../../../support/running-gateway.ts";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** Each row of the specification's table of POST /v1/audio/speech, on the wire. */

const provider = useWire();
const postern = useGateway(() => ({ env: providersAt({ DASHSCOPE: provider.origin }) }));
beforeEach(() => {
  provider.reset();
  provider.on(QWEN, replyEvents(qwenPiece(1, samplesOf(0.5)), qwenEnd(2, 5)));
});

const FLASH = { model: "gamma3-tts-flash", input: "Hello" } as const;
const INSTRUCT = { model: "gamma3-tts-instruct-flash", input: "Hello" } as const;

async function speak(body: object): Promise<Buffer> {
  const response = await postern.post("/audio/speech", body);
  if (response.status !== 200) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}

/** What was sent to the provider for a request that it answers. */
async function requestOf(body: object): Promise<{ model: string; input: Record<string, unknown> }> {
  await speak(body);
  return provider.seen[0]?.json as { model: string; input: Record<string, unknown> };
}

describe("POST /v1/audio/speech, row by row", () => {
  it.each([
    ["gamma3-tts-flash", "qwen3-tts-flash"],
    ["qwen3-tts-flash", "qwen3-tts-flash"],
    ["gamma3-tts-instruct-flash", "qwen3-tts-instruct-flash"],
    ["qwen3-tts-instruct-flash", "qwen3-tts-instruct-flash"],
  ])("model: %s reaches the provider as %s", async (model, upstream) => {
    if (model.includes("instruct")) serveFile(provider, wavFile(samplesOf(0.2)));
    expect((await requestOf({ ...FLASH, model })).model).toBe(upstream);
  });

  it("model: is required, must be known, and must speak", async () => {
    const missing = await postern.post("/audio/speech", { input: "Hello" });
    expect(missing.status).toBe(400);
    expect(await errorOf(missing)).toMatchObject({ param: "model", code: "missing_required_parameter" });
    const unknown = await postern.post("/audio/speech", { ...FLASH, model: "tts-of-nobody" });
    expect(unknown.status).toBe(404);
    expect(await errorOf(unknown)).toMatchObject({ param: "model", code: "model_not_found" });
    const chat = await postern.post("/audio/speech", { ...FLASH, model: "qwen3.8-max" });
    expect(chat.status).toBe(400);
    const error = await errorOf(chat);
    expect(error).toMatchObject({ param: "model", code: "endpoint_model_mismatch" });
    expect(error.message).toContain("/v1/chat/completions");
    expect(provider.seen).toEqual([]);
  });

  it("input: text in mixed languages goes to the provider as it is, and is billed per character", async () => {
    provider.on(QWEN, replyEvents(qwenPiece(1, samplesOf(0.5)), qwenEnd(2, 17)));
    const { input } = await requestOf({ ...FLASH, input: "Hello 世界, ça va ?" });
    expect(input["text"]).toBe("Hello 世界, ça va ?");
    expect(await postern.receipt()).toMatchObject({
      outcome: "completed",
      estimated: false,
      terms: [{ unit: "character", quantity: 17, nano_per_million: 10_000_000_000, nano: 170_000 }],
      nano: 170_000,
    });
  });

  it.each([
    [undefined, "missing_required_parameter"],
    [null, "missing_required_parameter"],
    ["", "invalid_value"],
    [" \n\t ", "invalid_value"],
    ["\u200B\uFEFF\u00A0", "invalid_value"],
    [42, "invalid_type"],
    [["Hello"], "invalid_type"],
  ])("input: %j is rejected", async (input, code) => {
    const response = await postern.post("/audio/speech", { ...FLASH, input });
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expect(error.param).toBe("input");
    if (input !== null) expect(error.code).toBe(code);
    expect(provider.seen).toEqual([]);
  });

  it("voice: a missing one falls back to the default voice", async () => {
    expect((await requestOf(FLASH)).input["voice"]).toBe("Cherry");
  });

  it("voice: an unknown one is rejected with 400, with those that there are", async () => {
    const response = await postern.post("/audio/speech", { ...FLASH, voice: "Darth" });
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expect(error.param).toBe("voice");
    expect(error.message).toContain("Cherry, Serena");
    expect(provider.seen).toEqual([]);
  });

  it("response_format: the default is mp3, made of the provider's samples", async () => {
    const response = await postern.post("/audio/speech", FLASH);
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    const mp3 = mp3Of(Buffer.from(await response.arrayBuffer()));
    expect(mp3).toMatchObject({ sampleRate: 24_000, channels: 1 });
    expect(mp3.seconds).toBeGreaterThanOrEqual(0.5);
    expect(mp3.seconds).toBeLessThan(0.62);
    expect(provider.seen[0]?.headers["x-dashscope-sse"]).toBe("enable");
  });

  it("response_format: wav on gamma3-tts-flash is the provider's own file", async () => {
    const file = wavFile(samplesOf(0.5));
    serveFile(provider, file);
    const response = await postern.post("/audio/speech", { ...FLASH, response_format: "wav" });
    expect(response.headers.get("content-type")).toBe("audio/wav");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(file);
    expect(provider.seen[0]?.headers).not.toHaveProperty("x-dashscope-sse");
  });

  it.each([undefined, "mp3", "wav", "opus", "anything"])(
    "response_format: %s on gamma3-tts-instruct-flash is not sent, and the output is wav",
    async (response_format) => {
      serveFile(provider, wavFile(samplesOf(0.4)));
      const response = await postern.post("/audio/speech", { ...INSTRUCT, response_format });
      expect(response.headers.get("content-type")).toBe("audio/wav");
      expect(wavOf(Buffer.from(await response.arrayBuffer()))).toMatchObject({ seconds: 0.4, sampleRate: 24_000 });
      const sent = provider.seen[0];
      expect(sent?.json).toEqual({ model: "qwen3-tts-instruct-flash", input: { text: "Hello", voice: "Cherry" } });
      expect(sent?.headers).not.toHaveProperty("x-dashscope-sse");
    },
  );

  it("instructions: reach gamma3-tts-instruct-flash, inside input", async () => {
    serveFile(provider, wavFile(samplesOf(0.2)));
    const body = { ...INSTRUCT, instructions: "cheerful, fast", language_type: "English", optimize_instructions: true };
    expect((await requestOf(body)).input).toEqual({
      text: "Hello",
      voice: "Cherry",
      instructions: "cheerful, fast",
      language_type: "English",
      optimize_instructions: true,
    });
  });

  it.each([0.25, 1, 4, 99])("speed: %d is accepted and has no effect", async (speed) => {
    const plain = await speak(FLASH);
    const fast = await speak({ ...FLASH, speed });
    expect(fast).toEqual(plain);
    expect(provider.seen[1]?.json).toEqual(provider.seen[0]?.json);
  });

  it("Response 400: the upstream's own words are passed through, whichever way it says them", async () => {
    const message = "Voice is not supported for this input text.";
    const body = { code: "InvalidParameter", message: message, request_id: "1" };
    for (const act of [
      reply(400, body),
      reply(200, { ...body, status_code: 400 }),
      replyEvents(qwenError(1, 400, "InvalidParameter", message)),
    ]) {
      provider.on(QWEN, act);
      const response = await postern.post("/audio/speech", FLASH);
      const error = await errorOf(response);
      expect(error.message).toBe(message);
      expect(error.code).toBe("InvalidParameter");
      expect({ status: response.status, type: error.type }).toEqual({ status: 400, type: "invalid_request_error" });
    }
  });
});
