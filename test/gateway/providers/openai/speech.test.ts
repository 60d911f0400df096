import { beforeEach, describe, expect, it } from "vitest";
import { samplesOf, wavFile } from "../../../support/sound.ts";
import { errorOf, until } from "../../../support/running-gateway.ts";
import { replyBytes, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** OpenAI's speech by the shapes of docs/providers/openai.md#speech. */

const ROUTE = "POST /v1/audio/speech";
const provider = useWire();
const postern = useGateway(() => ({
  env: { POSTERN_OPENAI_BASE_URL: `${provider.origin}/v1`, POSTERN_OPENAI_API_KEY: "sk-openai-key-0001" },
}));
beforeEach(() => provider.reset());

const TTS = { model: "tts-1", input: "Hello there", voice: "nova" } as const;
const MINI = { ...TTS, model: "gpt-4o-mini-tts" } as const;

describe("a file", () => {
  it.each([
    [undefined, "audio/mpeg"],
    ["mp3", "audio/mpeg"],
    ["opus", "audio/opus"],
    ["aac", "audio/aac"],
    ["flac", "audio/flac"],
    ["wav", "audio/wav"],
    ["pcm", "audio/pcm"],
  ])("asked for as %s comes with the provider's bytes and its type %s", async (response_format, type) => {
    const bytes = Buffer.from([0xff, 0xf3, 0, 1, 2, 3, 255]);
    provider.on(ROUTE, replyBytes(type, bytes));
    const response = await postern.post("/audio/speech", { ...TTS, response_format });
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("x-postern-provider")).toBe("openai");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(provider.seen[0]?.json).toEqual({ ...TTS, ...(response_format === undefined ? {} : { response_format }) });
    expect(provider.seen[0]?.headers.authorization).toBe("Bearer sk-openai-key-0001");
  });

  it("is made from the client's own body: fields that Postern does not know pass on", async () => {
    provider.on(ROUTE, replyBytes("audio/mpeg", "x"));
    const body = { ...MINI, voice: { id: "voice_1234" }, instructions: "Whisper", speed: 1.5, later_field: { a: 1 } };
    await (await postern.post("/audio/speech", body)).arrayBuffer();
    expect(provider.seen[0]?.json).toEqual(body);
  });

  it("has a voice although none was asked for: the provider wants one", async () => {
    provider.on(ROUTE, replyBytes("audio/mpeg", "x"));
    await (await postern.post("/audio/speech", { model: "tts-1", input: "Hi" })).arrayBuffer();
    expect(provider.seen[0]?.json).toEqual({ model: "tts-1", input: "Hi", voice: "alloy" });
  });

  it("comes to the OpenAI SDK as it does from OpenAI", async () => {
    const bytes = wavFile(samplesOf(0.1));
    provider.on(ROUTE, replyBytes("audio/wav", bytes));
    const speech = await postern.sdk().audio.speech.create({ ...TTS, response_format: "wav" });
    expect(speech.headers.get("content-type")).toBe("audio/wav");
    expect(Buffer.from(await speech.arrayBuffer())).toEqual(bytes);
    const refused = postern.sdk().audio.speech.create({ ...TTS, input: "" });
    await expect(refused).rejects.toMatchObject({ status: 400, param: "input" });
  });

  it("without a byte is an error", async () => {
    provider.on(ROUTE, replyBytes("audio/mpeg", ""));
    const response = await postern.post("/audio/speech", TTS);
    expect(response.status).toBe(502);
    expect((await errorOf(response)).message).toContain("without any audio");
  });

  it("that is a page is an error", async () => {
    provider.on(ROUTE, replyBytes("text/html", "<html>proxy</html>"));
    const response = await postern.post("/audio/speech", TTS);
    expect(response.status).toBe(502);
    expect((await errorOf(response)).message).toContain("not speech (text/html)");
  });

  it("of samples is kept in the library as one that can be played", async () => {
    const samples = samplesOf(0.25);
    provider.on(ROUTE, replyBytes("audio/pcm", samples));
    await (await postern.post("/audio/speech", { ...TTS, response_format: "pcm" })).arrayBuffer();
    const items = async (): Promise<readonly { type: string; bytes: number; duration_ms: number }[]> =>
      (await postern.ask<{ data: { type: string; bytes: number; duration_ms: number }[] }>("GET", "/media")).data;
    await until(async () => (await items()).some(({ bytes }) => bytes === samples.length + 44));
    expect((await items()).find(({ bytes }) => bytes === samples.length + 44)).toMatchObject({
      type: "audio/wav",
      duration_ms: 250,
    });
  });
});

describe("billing", () => {
  it("of tts-1 is by the characters of the text, which no one has to guess", async () => {
    provider.on(ROUTE, replyBytes("audio/mpeg", "x"));
    await (await postern.post("/audio/speech", { ...TTS, input: "你好, 😀" })).arrayBuffer();
    expect(await postern.receipt()).toMatchObject({
      endpoint: "speech",
      estimated: false,
      terms: [{ unit: "character", quantity: 5 }],
      nano: 75_000,
    });
  });

  it("of gpt-4o-mini-tts is by the length of the sound, estimated: its response tells nothing", async () => {
    provider.on(ROUTE, replyBytes("audio/wav", wavFile(samplesOf(6))));
    await (await postern.post("/audio/speech", { ...MINI, response_format: "wav" })).arrayBuffer();
    const receipt = await postern.receipt();
    expect(receipt.estimated).toBe(true);
    expect(receipt.terms).toMatchObject([
      { unit: "input", quantity: 3 },
      { unit: "audio_output", quantity: 125 },
    ]);
    expect(receipt.nano).toBe(3 * 600 + 125 * 12_000);
  });
});

describe("events", () => {
  const delta = (bytes: Buffer): string =>
    `data: ${JSON.stringify({ type: "speech.audio.delta", audio: bytes.toString("base64") })}\n\n`;
  const DONE = `data: {"type":"speech.audio.done","usage":{"input_tokens":14,"output_tokens":101,"total_tokens":115}}\n\n`;
  const EVENTS = { ...MINI, stream_format: "sse" } as const;

  it("pass as they are, unknown ones too, and their usage is what is billed", async () => {
    const frames = [delta(Buffer.from("one")), ': a comment\n\ndata: {"type":"speech.later"}\n\n', DONE];
    provider.on(ROUTE, replyEvents(...frames));
    const response = await postern.post("/audio/speech", EVENTS);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(await response.text()).toBe(frames.join(""));
    expect(await postern.receipt()).toMatchObject({
      stream: true,
      estimated: false,
      terms: [
        { unit: "input", quantity: 14 },
        { unit: "audio_output", quantity: 101 },
      ],
      nano: 14 * 600 + 101 * 12_000,
    });
  });

  it("that are an error before any sound have its status", async () => {
    provider.on(
      ROUTE,
      replyEvents(
        'data: {"error":{"message":"Too long.","type":"invalid_request_error","code":400,"param":"input"}}\n\n',
      ),
    );
    const response = await postern.post("/audio/speech", EVENTS);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toBe("Too long.");
  });

  it("that end before they are done tell so in-band, without an end, and what came is charged as an estimate", async () => {
    provider.on(ROUTE, replyEvents(delta(samplesOf(3))));
    const response = await postern.post("/audio/speech", { ...EVENTS, response_format: "pcm" });
    const last = (await response.text()).trimEnd().split("\n\n").at(-1) ?? "";
    expect(JSON.parse(last.slice("data: ".length))).toMatchObject({
      error: { type: "upstream_error", code: "upstream_error", message: expect.stringContaining("broke off") },
    });
    expect(await postern.receipt()).toMatchObject({
      outcome: "interrupted",
      estimated: true,
      terms: [{ unit: "input" }, { unit: "audio_output", quantity: 63 }],
    });
  });

  it("are made here for tts-1, which has none", async () => {
    provider.on(ROUTE, replyBytes("audio/mpeg", "bytes"));
    const response = await postern.post("/audio/speech", { ...TTS, stream_format: "sse" });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const done = { input_tokens: 0, output_tokens: 0, total_tokens: 0, characters: 11 };
    expect(await response.text()).toBe(
      `${delta(Buffer.from("bytes"))}data: ${JSON.stringify({ type: "speech.audio.done", usage: done })}\n\n`,
    );
    expect(provider.seen[0]?.json).toEqual(TTS);
    expect(provider.seen[0]?.headers.accept).toBe("*/*");
  });
});
