import { beforeEach, describe, expect, it } from "vitest";
import { mp3Of, samplesOf, wavFile } from "../../../support/sound.ts";
import { QWEN, qwenDocument, qwenEnd, qwenError, qwenPiece, serveFile } from "../../../support/speech-acts.ts";
import { errorOf, startGateway } from "../../../support/running-gateway.ts";
import { reply, replyBytes, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/**
 * Qwen-TTS by the shapes of docs/providers/dashscope.md#speech. What a client sees of its timing:
 * services/speech/flow.test.ts.
 */

const provider = useWire();
const storage = useWire();
const postern = useGateway(() => ({
  env: {
    POSTERN_DASHSCOPE_BASE_URL: provider.origin,
    POSTERN_DASHSCOPE_API_KEY: "sk-dashscope-0001",
  },
}));
beforeEach(() => {
  provider.reset();
  storage.reset();
});

const MP3 = { model: "gamma3-tts-flash", input: "Hello" } as const;
const WAV = { ...MP3, response_format: "wav" } as const;

async function bytesOf(response: Response): Promise<Buffer> {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

it("event streams are asked for where samples are wanted, and nowhere named where a file is", async () => {
  provider.on(QWEN, replyEvents(qwenPiece(1, samplesOf(0.3), 2), qwenEnd(2, 2)));
  await bytesOf(await postern.post("/audio/speech", MP3));
  await bytesOf(await postern.post("/audio/speech", WAV));
  expect(provider.seen.map(({ headers }) => [headers.accept, headers["x-dashscope-sse"]])).toEqual([
    ["text/event-stream", "enable"],
    ["application/json", undefined],
  ]);
});

describe("samples in events", () => {
  it("become one MP3, usage is the last that was reported", async () => {
    provider.on(
      QWEN,
      replyEvents(
        qwenPiece(1, samplesOf(0.3), 2),
        qwenPiece(2, samplesOf(0.4, 300), 5),
        qwenPiece(3, samplesOf(0.3), 5),
        qwenEnd(4, 9),
      ),
    );
    const mp3 = mp3Of(await bytesOf(await postern.post("/audio/speech", MP3)));
    expect(mp3.seconds).toBeGreaterThanOrEqual(1);
    expect(mp3.seconds).toBeLessThan(1.12);
    expect(mp3.different).toBeGreaterThan(10);
    expect((await postern.receipt()).terms).toMatchObject([{ unit: "character", quantity: 9 }]);
    // The whole file lies somewhere too; no one needs it.
    expect(provider.seen).toHaveLength(1);
  });

  it("are the same sound with a WAV header in the first piece, or cut in the middle of samples", async () => {
    const samples = samplesOf(0.6);
    const made: Buffer[] = [];
    for (const pieces of [
      [samples],
      [wavFile(samples)],
      [wavFile(samples).subarray(0, 20), wavFile(samples).subarray(20, 1_045), wavFile(samples).subarray(1_045)],
      [samples.subarray(0, 3_333), samples.subarray(3_333, 3_334), samples.subarray(3_334)],
    ]) {
      provider.on(QWEN, replyEvents(...pieces.map((piece, index) => qwenPiece(index, piece)), qwenEnd(9, 5)));
      made.push(await bytesOf(await postern.post("/audio/speech", MP3)));
    }
    for (const one of made) expect(one).toEqual(made[0]);
  });

  it("are counted here where no usage is reported: an ideograph is two characters, and the receipt says estimated", async () => {
    provider.on(QWEN, replyEvents(qwenPiece(1, samplesOf(0.2)), qwenEnd(2, null)));
    await bytesOf(await postern.post("/audio/speech", { ...MP3, input: "Hi 世界" }));
    expect(await postern.receipt()).toMatchObject({
      estimated: true,
      terms: [{ unit: "character", quantity: 7 }],
      nano: 70_000,
    });
  });

  it("may be missing while the last event names the file: then that is fetched", async () => {
    const url = `${provider.origin}/results/whole.wav`;
    provider.on(QWEN, replyEvents(qwenPiece(1, Buffer.alloc(0)), qwenEnd(2, 5, url)));
    provider.on("GET /results/whole.wav", replyBytes("audio/wav", wavFile(samplesOf(0.5))));
    expect(mp3Of(await bytesOf(await postern.post("/audio/speech", MP3))).seconds).toBeGreaterThanOrEqual(0.5);
  });

  it("are given as events of the common dialect to who asks for those", async () => {
    provider.on(QWEN, replyEvents(qwenPiece(1, samplesOf(0.3)), qwenPiece(2, samplesOf(0.3)), qwenEnd(3, 9)));
    const response = await postern.post("/audio/speech", { ...MP3, stream_format: "sse" });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const frames = (await response.text()).trimEnd().split("\n\n");
    const events = frames.map((frame) => JSON.parse(frame.slice("data: ".length)) as Record<string, unknown>);
    const sound = Buffer.concat(
      events.map(({ audio }) => Buffer.from(typeof audio === "string" ? audio : "", "base64")),
    );
    expect(mp3Of(sound).seconds).toBeGreaterThanOrEqual(0.6);
    expect(events.at(-1)).toEqual({
      type: "speech.audio.done",
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0, characters: 9 },
    });
  });

  it("become a WAV file where that was asked for and the provider streams all the same", async () => {
    const samples = samplesOf(0.4);
    const parts = [samples.subarray(0, 5_001), samples.subarray(5_001)];
    provider.on(QWEN, replyEvents(...parts.map((part, index) => qwenPiece(index, part)), qwenEnd(3, 5)));
    expect(await bytesOf(await postern.post("/audio/speech", WAV))).toEqual(wavFile(samples));
  });

  it("that never come are an error, not an empty file", async () => {
    provider.on(QWEN, replyEvents(qwenEnd(1, 5, "")));
    const response = await postern.post("/audio/speech", MP3);
    expect(response.status).toBe(502);
    expect((await errorOf(response)).message).toContain("without any audio");
    expect(await postern.receipt()).toMatchObject({ outcome: "unknown", estimated: true, nano: 50_000 });
  });

  it("that break off before the first are a 502", async () => {
    provider.on(QWEN, (_seen, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write("id:1\nevent:result\n", () => outgoing.destroy());
    });
    const response = await postern.post("/audio/speech", MP3);
    expect(response.status).toBe(502);
    expect((await errorOf(response)).message).toContain("broke off");
  });

  it("in a kind of WAV that no one speaks are a 502", async () => {
    const odd = wavFile(samplesOf(0.1));
    odd.writeUInt16LE(8, 34);
    provider.on(QWEN, replyEvents(qwenPiece(1, odd), qwenEnd(2, 5)));
    const response = await postern.post("/audio/speech", MP3);
    expect(response.status).toBe(502);
    expect((await errorOf(response)).message).toContain("8 bits");
  });
});

describe("a response that names a file", () => {
  it("is fetched over plain http from the provider's own host, without its key", async () => {
    const file = wavFile(samplesOf(0.4));
    serveFile(provider, file);
    expect(await bytesOf(await postern.post("/audio/speech", WAV))).toEqual(file);
    expect(provider.seen.map(({ method }) => method)).toEqual(["POST", "GET"]);
    expect(provider.seen[1]?.headers).not.toHaveProperty("authorization");
    expect(provider.seen[1]?.query.get("Signature")).toBe("x");
    expect((await postern.receipt()).terms).toMatchObject([{ unit: "character", quantity: 195 }]);
  });

  it("is encoded where MP3 was asked for, whatever the file's rate and channels", async () => {
    for (const [rate, channels] of [
      [24_000, 1],
      [44_100, 2],
      [16_000, 1],
    ] as const) {
      const samples = samplesOf(1);
      serveFile(provider, wavFile(samples, rate, channels), "application/octet-stream");
      const mp3 = mp3Of(await bytesOf(await postern.post("/audio/speech", MP3)));
      const seconds = samples.length / (2 * channels * rate);
      expect(mp3).toMatchObject({ sampleRate: rate, channels });
      expect(mp3.seconds).toBeGreaterThanOrEqual(seconds);
      expect(mp3.seconds).toBeLessThan(seconds + 0.15);
    }
  });

  it("at a host that no one allowed is not fetched, and nothing is said of what is there", async () => {
    storage.on("GET /secret.wav", replyBytes("audio/wav", wavFile(samplesOf(0.1))));
    for (const url of [`${storage.origin}/secret.wav`, "http://169.254.169.254/a.wav", "file:///etc/passwd"]) {
      provider.on(QWEN, reply(200, qwenDocument(url)));
      const response = await postern.post("/audio/speech", WAV);
      expect(response.status).toBe(502);
      expect((await errorOf(response)).message).toContain("was not fetched: ");
    }
    expect(storage.seen).toEqual([]);
    expect(await postern.receipt()).toMatchObject({ outcome: "unknown", estimated: true, nano: 50_000 });
  });

  it("at an exact host and port of POSTERN_ALLOW_TARGETS is fetched", async () => {
    const file = wavFile(samplesOf(0.1));
    storage.on("GET /a.wav", replyBytes("audio/wav", file));
    provider.on(QWEN, reply(200, qwenDocument(`${storage.origin}/a.wav`)));
    const allowing = await startGateway({
      env: {
        POSTERN_DASHSCOPE_BASE_URL: provider.origin,
        POSTERN_DASHSCOPE_API_KEY: "sk-dashscope-0001",
        POSTERN_ALLOW_TARGETS: new URL(storage.origin).host,
      },
    });
    try {
      expect(await bytesOf(await allowing.post("/audio/speech", WAV))).toEqual(file);
      expect(storage.seen).toHaveLength(1);
    } finally {
      await allowing.close();
    }
  });

  it.each([
    ["is refused", replyBytes("application/xml", "<Error/>", 403), "status 403"],
    ["is a page", replyBytes("text/html", "<html>"), "text/html"],
    [
      "says that it is sound and is not",
      replyBytes("audio/wav", "<html><body>nothing here</body></html>"),
      "not the sound",
    ],
    ["is empty", replyBytes("audio/wav", ""), "not the sound"],
    ["is a picture", replyBytes("audio/wav", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "not the sound"],
  ])("that %s is a 502 that says so", async (_how, act, text) => {
    provider.on(QWEN, reply(200, qwenDocument(`${provider.origin}/results/a.wav`)));
    provider.on("GET /results/a.wav", act);
    const response = await postern.post("/audio/speech", WAV);
    expect(response.status).toBe(502);
    expect((await errorOf(response)).message).toContain(text);
  });
});

describe("an error", () => {
  it.each([
    [400, "InvalidParameter", 400, "InvalidParameter"],
    [401, "InvalidApiKey", 502, "vendor_auth"],
    [400, "Arrearage", 503, "vendor_out_of_credit"],
    [404, "ModelNotFound", 404, "model_not_found"],
  ])("%d %s, sent or inside a stream, is %d %s", async (status, code, shown, shownCode) => {
    for (const act of [
      reply(status, { code, message: "The provider's words.", request_id: "1" }),
      replyEvents(qwenError(1, status, code, "The provider's words.")),
    ]) {
      // Each in a gateway of its own: a refused key is not tried again for a while.
      const fresh = await startGateway({
        env: { POSTERN_DASHSCOPE_BASE_URL: provider.origin, POSTERN_DASHSCOPE_API_KEY: "sk-dashscope-0001" },
      });
      try {
        provider.on(QWEN, act);
        const response = await fresh.post("/audio/speech", MP3);
        expect(response.status).toBe(shown);
        const error = await errorOf(response);
        expect(error.code).toBe(shownCode);
        expect(error.message).toContain("The provider's words.");
        expect(await fresh.receipt()).toMatchObject({ outcome: "failed", nano: 0 });
      } finally {
        await fresh.close();
      }
    }
  });

  it("of its rate, before any sound, is followed by another try", async () => {
    const two = await startGateway({
      env: {
        POSTERN_DASHSCOPE_BASE_URL: provider.origin,
        POSTERN_DASHSCOPE_API_KEY: "sk-first-key-0001,sk-second-key-02",
      },
    });
    try {
      provider.on(
        QWEN,
        replyEvents(qwenError(1, 429, "Throttling.RateQuota", "Requests rate limit exceeded.")),
        replyEvents(qwenPiece(1, samplesOf(0.3)), qwenEnd(2, 5)),
      );
      expect(mp3Of(await bytesOf(await two.post("/audio/speech", MP3))).seconds).toBeGreaterThan(0.25);
      expect(provider.seen.map(({ headers }) => headers.authorization)).toEqual([
        "Bearer sk-first-key-0001",
        "Bearer sk-second-key-02",
      ]);
      expect((await two.receipts()).length).toBe(1);
    } finally {
      await two.close();
    }
  });
});
