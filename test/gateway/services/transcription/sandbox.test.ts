import { APIError, toFile } from "openai";
import { describe, expect, it } from "vitest";
import { mediaFile } from "../../../support/media-files.ts";
import { samplesOf, wavFile } from "../../../support/sound.ts";
import { flac, mp3, opus } from "../../../support/media-samples.ts";
import { errorOf } from "../../../support/running-gateway.ts";
import { transcribe } from "../../../support/transcription-acts.ts";
import { formOf } from "../../../support/forms.ts";
import { useGateway } from "../../../support/use-gateway.ts";

/** Transcription without any provider, over real sockets and with OpenAI's SDK: the same way as with one. */

const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

const SECONDS = 10;
const sound = () => toFile(wavFile(samplesOf(SECONDS)), "speech.wav");
const create = async (body: object): Promise<unknown> =>
  postern.sdk().audio.transcriptions.create({ file: await sound(), model: "whisper-1", ...body } as never);

const FIRST = `Postern's sandbox heard ${SECONDS.toFixed(1)} seconds of sound`;

describe("every format of the SDK", () => {
  it("json says the words and what is billed", async () => {
    for (const response_format of [undefined, "json"]) {
      const transcript = (await create(response_format === undefined ? {} : { response_format })) as { text: string };
      expect(transcript.text).toContain(FIRST);
      expect(transcript).toMatchObject({ usage: { type: "duration", seconds: SECONDS } });
    }
  });

  it("text is the words and nothing else", async () => {
    const text = (await create({ response_format: "text" })) as string;
    const { text: same } = (await create({})) as { text: string };
    expect(text).toBe(`${same}\n`);
  });

  it("verbose_json has the length, the language, segments, and words on demand", async () => {
    const plain = await create({ response_format: "verbose_json" });
    expect(plain).toMatchObject({ task: "transcribe", duration: SECONDS, language: "english" });
    expect(plain).toHaveProperty("segments[0].avg_logprob");
    expect(plain).not.toHaveProperty("words");
    const words = (await create({
      response_format: "verbose_json",
      timestamp_granularities: ["word"],
      language: "de",
    })) as { language: string; words: { word: string; start: number; end: number }[] };
    expect(words.language).toBe("de");
    expect(words).not.toHaveProperty("segments");
    expect(words.words[0]).toMatchObject({ word: "Postern's", start: 0 });
    expect(words.words.at(-1)?.end).toBe(SECONDS);
    expect(words.words.every(({ start, end }, at) => start < end && start >= (words.words[at - 1]?.end ?? 0))).toBe(
      true,
    );
  });

  it("srt and vtt have the same times from the beginning to the end", async () => {
    const srt = (await create({ response_format: "srt" })) as string;
    expect(srt.startsWith(`1\n00:00:00,000 --> 00:00:03,333\n${FIRST}`)).toBe(true);
    expect(srt).toMatch(/\n\n3\n00:00:06,667 --> 00:00:10,000\n[^\n]+\n$/);
    const vtt = (await create({ response_format: "vtt" })) as string;
    expect(vtt.startsWith("WEBVTT\n\n00:00:00.000 --> 00:00:03.333\n")).toBe(true);
    expect([...vtt.matchAll(/-->/g)]).toHaveLength(3);
  });

  it("diarized_json names speakers", async () => {
    const named = await create({ model: "gpt-4o-transcribe-diarize", response_format: "diarized_json" });
    expect(named).toMatchObject({
      task: "transcribe",
      duration: SECONDS,
      segments: [{ type: "transcript.text.segment", speaker: "A", start: 0 }, { speaker: "B" }, { speaker: "A" }],
      usage: { type: "tokens", input_token_details: { audio_tokens: 10 * SECONDS } },
    });
  });

  it("logprobs come on demand", async () => {
    const reported = (await create({ model: "gpt-4o-transcribe", include: ["logprobs"] })) as { logprobs: unknown[] };
    expect(reported.logprobs[0]).toMatchObject({ token: "Poster", logprob: expect.any(Number) as number });
  });

  it("translations are English", async () => {
    const client = postern.sdk().audio.translations;
    const request = { file: await sound(), model: "whisper-1" } as const;
    expect((await client.create(request)).text).toContain(FIRST);
    expect(await client.create({ ...request, response_format: "verbose_json" })).toMatchObject({ language: "english" });
    expect(await client.create({ ...request, response_format: "srt" })).toContain("00:00:00,000 --> ");
    expect(await postern.receipt()).toMatchObject({
      endpoint: "translations",
      terms: [{ unit: "second", quantity: 10 }],
    });
  });
});

describe("streams of the SDK", () => {
  const events = async (body: object): Promise<{ type: string; delta?: string; text?: string; usage?: unknown }[]> => {
    const stream = (await create({ stream: true, ...body })) as AsyncIterable<{ type: string }>;
    const all: { type: string }[] = [];
    for await (const event of stream) all.push(event);
    return all;
  };

  it.each([
    ["gpt-4o-transcribe", "tokens"],
    ["gpt-transcribe", "duration"],
    // OpenAI passes over `stream` at this one: one who asks for events gets events all the same.
    ["whisper-1", "duration"],
    ["voxtral-mini-transcribe-3-0", "duration"],
    ["grok-voice-transcribe-1.0", "duration"],
  ])("%s: deltas make the text of the end", async (model, billed) => {
    const all = await events({ model });
    const done = all.at(-1);
    expect(done).toMatchObject({ type: "transcript.text.done", usage: { type: billed } });
    const deltas = all.filter(({ type }) => type === "transcript.text.delta");
    expect(deltas.map(({ delta }) => delta).join("")).toBe(done?.text);
    expect(done?.text).toContain(FIRST);
    expect(await postern.receipt()).toMatchObject({ outcome: "completed", stream: true, estimated: false });
  });

  it("of speakers have a segment each", async () => {
    const all = await events({ model: "gpt-4o-transcribe-diarize", response_format: "diarized_json" });
    expect(all.filter(({ type }) => type === "transcript.text.segment")).toHaveLength(3);
  });

  it("are not of formats that events cannot say", async () => {
    const fields = { model: "whisper-1", stream: "true", response_format: "verbose_json" };
    const response = await transcribe(postern, formOf(fields, [["file", wavFile(samplesOf(SECONDS)), "a.wav"]]));
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({ duration: SECONDS });
  });

  it("break off with an error in the stream", async () => {
    await expect(events({ model: "gpt-4o-transcribe", prompt: "sandbox:cut" })).rejects.toThrow(APIError);
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ outcome: "interrupted", estimated: true });
    expect(receipt.terms.find(({ unit }) => unit === "audio_input")?.quantity).toBe(10 * SECONDS);
  });
});

describe("every kind of file", () => {
  it.each<[string, Buffer, number]>([
    ["tone.wav", wavFile(samplesOf(2.5)), 2.5],
    ["tone.mp3", mp3(100), 100 * (1_152 / 44_100)],
    ["tone.opus", opus(4_000), 4],
    ["tone.flac", flac(3_000), 3],
    ["tone.aac", mediaFile("tone.aac"), 3.228],
    ["tone.m4a", mediaFile("tone.m4a"), 3.224],
    ["film.mp4", mediaFile("fragmented.mp4"), 2.7],
    ["film.webm", mediaFile("live.webm"), 2.5],
  ])("%s", async (name, bytes, seconds) => {
    const transcript = (await create({ file: await toFile(bytes, name), response_format: "verbose_json" })) as object;
    const { duration } = transcript as { duration: number };
    expect(Math.abs(duration - seconds)).toBeLessThan(0.05);
  });

  it("the same sound is heard in the same way", async () => {
    const fields = { model: "whisper-1", response_format: "verbose_json" };
    const bytes = async (): Promise<string> =>
      (await transcribe(postern, formOf(fields, [["file", mp3(200), "a.mp3"]]))).text();
    expect(await bytes()).toBe(await bytes());
  });
});

describe("at providers with an API of their own", () => {
  it.each(["voxtral-mini-2602", "voxtral-small-transcribe-3-0", "grok-voice-transcribe-1.0"])(
    "%s gives every format",
    async (model) => {
      expect(await create({ model })).toMatchObject({ text: expect.stringContaining(FIRST) as string });
      expect(await create({ model, response_format: "text" })).toContain(FIRST);
      expect(await create({ model, response_format: "srt" })).toMatch(/^1\n00:00:00,000 --> 00:00:0[23],\d+\n/);
      expect(await create({ model, response_format: "vtt" })).toMatch(/-->\s00:00:10\.000\n[^\n]+\n$/);
      expect(
        await create({ model, response_format: "verbose_json", timestamp_granularities: ["word", "segment"] }),
      ).toMatchObject({
        duration: SECONDS,
        words: expect.arrayContaining([expect.objectContaining({ word: "sandbox" })]) as unknown,
        segments: expect.arrayContaining([expect.objectContaining({ end: SECONDS })]) as unknown,
      });
      expect(await create({ model, response_format: "diarized_json" })).toMatchObject({
        segments: expect.arrayContaining([expect.objectContaining({ start: 0 })]) as unknown,
      });
      expect(await postern.receipt()).toMatchObject({
        estimated: false,
        terms: [{ unit: "second", quantity: SECONDS }],
        sandbox: true,
      });
    },
  );
});

describe("behaviour that a prompt asks for", () => {
  it.each([400, 429, 503])("sandbox:error=%i", async (status) => {
    const failed = create({ prompt: `sandbox:error=${status}` });
    await expect(failed).rejects.toMatchObject({ message: expect.stringContaining("asked to fail") as string });
    expect(await postern.receipt()).toMatchObject({ outcome: "failed", nano: 0 });
  });

  it("sandbox:cut before a whole response is an unknown outcome with its estimate", async () => {
    await expect(create({ prompt: "sandbox:cut" })).rejects.toThrow(APIError);
    expect(await postern.receipt()).toMatchObject({
      outcome: "unknown",
      estimated: true,
      terms: [{ unit: "second", quantity: SECONDS }],
    });
  });
});

describe("moderations", () => {
  it("go through and cost nothing", async () => {
    const judged = await postern.sdk().moderations.create({ input: ["Good morning.", "I will kill the process."] });
    expect(judged.model).toBe("omni-moderation-latest");
    expect(judged.results.map(({ flagged }) => flagged)).toEqual([false, true]);
    expect(judged.results[1]?.categories).toMatchObject({ violence: true, hate: false });
    expect(await postern.receipt()).toMatchObject({
      endpoint: "moderations",
      model: "omni-moderation-latest",
      outcome: "completed",
      estimated: false,
      nano: 0,
      terms: [{ unit: "request", quantity: 1, nano: 0 }],
      price: { source: expect.stringContaining("omni-moderation") as string },
    });
  });

  it("take texts and pictures together, and say Mistral's categories at Mistral", async () => {
    const input = [
      { type: "text", text: "hello" },
      { type: "image_url", image_url: { url: "https://example.com/a.png" } },
    ] as const;
    const { results } = await postern
      .sdk()
      .moderations.create({ model: "omni-moderation-2024-09-26", input: [...input] });
    expect(results).toHaveLength(1);
    const other = await postern.post("/moderations", { model: "mistral-moderation-latest", input: "I will kill it" });
    expect(await other.json()).toMatchObject({ results: [{ categories: { violence_and_threats: true } }] });
    expect(await postern.receipt()).toMatchObject({ nano: null });
  });

  it("fail as they are asked to, and refuse what is no input", async () => {
    const failed = await postern.post("/moderations", { input: "sandbox:error=503" });
    expect(failed.status).toBe(503);
    for (const input of [undefined, 7, [], [7]]) {
      const refused = await postern.post("/moderations", { input });
      expect([refused.status, (await errorOf(refused)).param?.startsWith("input")]).toEqual([400, true]);
    }
    const mismatch = await postern.post("/moderations", { model: "gpt-4.1", input: "a" });
    expect(mismatch.status).toBe(400);
  });
});
