import { describe, expect, it } from "vitest";
import { mp3Of, wavOf } from "../../../support/sound.ts";
import { useVoices } from "./running-voices.ts";

/** The sandbox as OpenAI: docs/providers/openai.md#speech. */

const running = useVoices();
const SPEECH = { model: "tts-1", input: "Hello there, how are you?", voice: "nova" };
const send = (body: unknown): Promise<Response> => running.send("/openai/v1/audio/speech", body);
const soundOf = async (body: unknown): Promise<Buffer> => Buffer.from(await (await send(body)).arrayBuffer());

describe("a file", () => {
  it("is a real MP3 by default, as long as the WAV of the same text", async () => {
    const response = await send(SPEECH);
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    const mp3 = mp3Of(Buffer.from(await response.arrayBuffer()));
    const wav = wavOf(await soundOf({ ...SPEECH, response_format: "wav" }));
    expect(mp3).toMatchObject({ sampleRate: 24_000, channels: 1 });
    expect(mp3.different).toBeGreaterThan(mp3.frames / 2);
    expect(mp3.seconds).toBeGreaterThanOrEqual(wav.seconds);
    expect(mp3.seconds).toBeLessThan(wav.seconds + 0.12);
  });

  it("of samples is the WAV without its header", async () => {
    const wav = await soundOf({ ...SPEECH, response_format: "wav" });
    expect(await soundOf({ ...SPEECH, response_format: "pcm" })).toEqual(wav.subarray(44));
  });

  it("of Opus comes as Ogg", async () => {
    const response = await send({ ...SPEECH, response_format: "opus" });
    expect(response.headers.get("content-type")).toBe("audio/opus");
    expect(Buffer.from(await response.arrayBuffer()).toString("latin1", 0, 4)).toBe("OggS");
  });

  it("is shorter when it is spoken faster, and the same for the same request", async () => {
    const seconds = async (speed: number): Promise<number> =>
      wavOf(await soundOf({ ...SPEECH, speed, response_format: "wav" })).seconds;
    expect(await seconds(2)).toBeCloseTo((await seconds(1)) / 2, 2);
    expect(await soundOf(SPEECH)).toEqual(await soundOf(SPEECH));
  });

  it("of the longest text comes, and others are answered meanwhile", async () => {
    const long = soundOf({ ...SPEECH, input: "word ".repeat(819), response_format: "wav" });
    const short = await soundOf({ ...SPEECH, input: "Hi", response_format: "wav" });
    expect(wavOf(short).seconds).toBeLessThan(1);
    expect(wavOf(await long).seconds).toBeGreaterThan(100);
  });
});

it("speaks in events to gpt-4o-mini-tts, with usage at the end", async () => {
  const body = { ...SPEECH, model: "gpt-4o-mini-tts", stream_format: "sse", response_format: "wav" };
  const frames = (await (await send(body)).text())
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(frame.slice("data: ".length)) as { type: string; audio?: string; usage?: object });
  const sound = Buffer.concat(frames.map(({ audio }) => Buffer.from(audio ?? "", "base64")));
  expect(wavOf(sound).seconds).toBeGreaterThan(1);
  expect(frames.slice(0, -1).every(({ type }) => type === "speech.audio.delta")).toBe(true);
  expect(frames.at(-1)).toMatchObject({
    type: "speech.audio.done",
    usage: { input_tokens: 7, output_tokens: expect.any(Number), total_tokens: expect.any(Number) },
  });
});

describe("an error", () => {
  it.each([
    [{ ...SPEECH, model: "tts-9" }, 404, "model"],
    [{ ...SPEECH, model: "gpt-4.1" }, 404, "model"],
    [{ ...SPEECH, response_format: "midi" }, 400, "response_format"],
    [{ ...SPEECH, response_format: "aac" }, 400, "response_format"],
  ])("%j", async (body, status, param) => {
    const response = await send(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { param, type: "invalid_request_error" } });
  });

  it("on demand has the status that was asked for", async () => {
    const response = await send({ ...SPEECH, input: "sandbox:error=429" });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("1");
  });
});

it("breaks off on demand, and the gateway's own sandbox calls do so too", async () => {
  const text = "sandbox:cut and then some words that take a while to say, and some more of them";
  const response = await send({ ...SPEECH, input: text });
  expect(response.status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow("terminated");
});
