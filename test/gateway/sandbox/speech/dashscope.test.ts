import { describe, expect, it } from "vitest";
import { wavOf } from "../../../support/sound.ts";
import { QWEN_PATH } from "../../../support/speech-acts.ts";
import { useVoices } from "./running-voices.ts";

/** The sandbox as DashScope: docs/providers/dashscope.md#speech. */

const running = useVoices();
const SPEECH = { model: "qwen3-tts-flash", input: { text: "Hello there, how are you?", voice: "Cherry" } };

const send = (body: unknown, headers = {}): Promise<Response> => running.send(`/dashscope${QWEN_PATH}`, body, headers);
const stream = (body: unknown): Promise<Response> => send(body, { "x-dashscope-sse": "enable" });

interface HttpResponse {
  readonly request_id: string;
  readonly output: { finish_reason: string; audio: { data: string; url?: string; expires_at: number; id: string } };
  readonly usage: { characters: number };
}

async function responseOf(response: Response): Promise<HttpResponse> {
  expect(response.status).toBe(200);
  return (await response.json()) as HttpResponse;
}

const fileOf = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());

/** Events as the provider's own SDK reads them: fields without a space behind the colon, comments skipped. */
function eventsOf(text: string): HttpResponse[] {
  const frames = text.split("\n\n").filter((frame) => frame !== "");
  return frames.map((frame, index) => {
    const lines = frame.split("\n");
    expect(lines.slice(0, 3)).toEqual([`id:${index + 1}`, "event:result", ":HTTP_STATUS/200"]);
    return JSON.parse((lines[3] ?? "").slice("data:".length)) as HttpResponse;
  });
}

describe("a response without events", () => {
  it("names a WAV file that needs no key: 24 kHz, mono, 16 bit, to be heard", async () => {
    const response = await responseOf(await send(SPEECH));
    expect(response).toMatchObject({
      output: { finish_reason: "stop", audio: { data: "" } },
      usage: { characters: 25, input_tokens: 0, output_tokens: 0 },
    });
    const wav = wavOf(await fileOf(response.output.audio.url ?? ""));
    expect(wav).toMatchObject({ sampleRate: 24_000, channels: 1, bits: 16 });
    expect(wav.peak).toBeGreaterThan(0.1);
    expect(wav.peak).toBeLessThan(0.9);
    expect(wav.seconds).toBeGreaterThan(1);
    expect(wav.seconds).toBeLessThan(4);
  });

  it("is as long as its text, and the same for the same request", async () => {
    const seconds = async (text: string): Promise<number> => {
      const { output } = await responseOf(await send({ ...SPEECH, input: { text, voice: "Cherry" } }));
      return wavOf(await fileOf(output.audio.url ?? "")).seconds;
    };
    const short = await seconds("Hello there.");
    expect(await seconds("Hello there. ".repeat(10))).toBeGreaterThan(8 * short);
    expect(await seconds("你好世界")).toBeCloseTo(0.88, 2);
    expect(await seconds("😀")).toBeGreaterThan(0.1);
    const [one, other] = await Promise.all([responseOf(await send(SPEECH)), responseOf(await send(SPEECH))]);
    expect(other).toEqual(one);
    const url = one.output.audio.url ?? "";
    expect(await fileOf(url)).toEqual(await fileOf(url));
  });

  it("sings another melody for another voice", async () => {
    const urlOf = async (voice: string): Promise<string> =>
      (await responseOf(await send({ ...SPEECH, input: { ...SPEECH.input, voice } }))).output.audio.url ?? "";
    expect(await fileOf(await urlOf("Ethan"))).not.toEqual(await fileOf(await urlOf("Cherry")));
  });

  it("bills an ideograph as two characters", async () => {
    const response = await responseOf(await send({ ...SPEECH, input: { text: "Hi 世界", voice: "Kiki" } }));
    expect(response.usage.characters).toBe(7);
  });

  it.each(["/results/speech/AAAA.wav", "/results/speech/e30.wav"])("never named %s", async (path) => {
    const response = await fetch(`${running.origin}/dashscope${path}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "NoSuchKey" });
  });
});

describe("a response in events", () => {
  it('holds the samples of the same file, finish_reason "null" until the last, which names it', async () => {
    const events = eventsOf(await (await stream(SPEECH)).text());
    expect(events.length).toBeGreaterThan(3);
    expect(events.slice(0, -1).map(({ output }) => output.finish_reason)).toEqual(
      Array.from({ length: events.length - 1 }, () => "null"),
    );
    const last = events.at(-1);
    expect(last).toMatchObject({ output: { finish_reason: "stop", audio: { data: "" } }, usage: { characters: 25 } });
    const samples = Buffer.concat(events.map(({ output }) => Buffer.from(output.audio.data, "base64")));
    expect(samples).toEqual((await fileOf(last?.output.audio.url ?? "")).subarray(44));
  });
});

describe("an error", () => {
  it.each([
    [{ ...SPEECH, model: "qwen9-tts" }, 404, "ModelNotFound"],
    [{ ...SPEECH, model: "qwen3-max" }, 404, "ModelNotFound"],
  ])("%j", async (body, status, code) => {
    for (const response of [await send(body), await stream(body)]) {
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({
        code,
        message: expect.any(String),
        request_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/),
      });
    }
  });

  it.each([
    [400, "InvalidParameter"],
    [401, "InvalidApiKey"],
    [403, "AccessDenied"],
    [429, "Throttling.RateQuota"],
    [500, "InternalError"],
    [503, "ServiceUnavailable"],
  ])("%d on demand is %s", async (status, code) => {
    const body = { ...SPEECH, input: { ...SPEECH.input, text: `sandbox:error=${status}` } };
    const response = await send(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  it("of a missing key is in the same envelope", async () => {
    const response = await running.send(`/dashscope${QWEN_PATH}`, SPEECH, { authorization: "Bearer wrong" });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "InvalidApiKey", request_id: expect.any(String) });
  });
});

it("breaks off on demand: after the first events, or before a response without any", async () => {
  const text = "sandbox:cut and then some words that take a while to say";
  const body = { ...SPEECH, input: { ...SPEECH.input, text } };
  const cut = await stream(body);
  const reader = cut.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('"finish_reason":"null"');
  await expect(
    (async () => {
      while ((await reader?.read())?.done === false);
    })(),
  ).rejects.toThrow("terminated");
  await expect(send(body)).rejects.toThrow("fetch failed");
});
