import { beforeEach, describe, expect, it } from "vitest";
import { mp3Of, samplesOf } from "../../../support/sound.ts";
import { QWEN, SlowEvents, qwenEnd, qwenError, qwenPiece } from "../../../support/speech-acts.ts";
import { KEY, until, type TestGateway, providersAt } from "../../../support/running-gateway.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** What a client sees of sound while it is made: it flows, it ends whole or not at all, and what began is charged. */

const provider = useWire();
const postern = useGateway(() => ({
  env: providersAt({ DASHSCOPE: provider.origin, OPENAI: `${provider.origin}/v1` }),
  keys: [{ key: "sk-test-limited-key-0001", name: "limited", limit_usd: 0.0001 }],
}));
let before = 0;
beforeEach(async () => {
  provider.reset();
  before = (await postern.receipts()).length;
});

const SPEECH = { model: "gamma3-tts-flash", input: "Hello" } as const;

const speak = (body: object, signal?: AbortSignal): Promise<Response> =>
  postern.post("/audio/speech", body, KEY, {}, signal);

function readerOf(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (response.body === null) throw new Error("no body");
  return response.body.getReader();
}

/** Reads to the end; rejects when the connection breaks. */
async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
  }
}

/** The receipt of this test's one call, once there is one. */
async function receipt(): Promise<Awaited<ReturnType<TestGateway["receipt"]>>> {
  await until(async () => (await postern.receipts()).length > before);
  return postern.receipt();
}

describe("sound flows to the client while the provider still speaks", () => {
  it("as MP3, encoded from the samples that are there", async () => {
    const slow = new SlowEvents("text/event-stream", qwenPiece(1, samplesOf(0.5)));
    provider.on(QWEN, slow.act);
    const response = await speak(SPEECH);
    const reader = readerOf(response);
    const first = await reader.read();
    // The provider has sent one piece of two, and waits for us.
    expect(first.value?.length).toBeGreaterThan(0);
    slow.send(qwenPiece(2, samplesOf(0.5, 300)));
    slow.send(qwenEnd(3, 5));
    slow.end();
    const whole = Buffer.concat([first.value ?? Buffer.alloc(0), await rest(reader)]);
    expect(mp3Of(whole).seconds).toBeGreaterThanOrEqual(1);
    const { first_ms, ms, outcome } = await receipt();
    expect(outcome).toBe("completed");
    expect(first_ms).toBeLessThanOrEqual(ms);
  });

  it("as the provider's own bytes at OpenAI", async () => {
    const slow = new SlowEvents("audio/mpeg", "first ");
    provider.on("POST /v1/audio/speech", slow.act);
    const reader = readerOf(await speak({ model: "tts-1", input: "Hello" }));
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("first ");
    slow.send("second");
    slow.end();
    expect((await rest(reader)).toString()).toBe("second");
  });
});

describe("what breaks off after the first sound", () => {
  it.each([
    ["the provider's connection", (slow: SlowEvents) => slow.cut()],
    ["the provider's stream, without its last event", (slow: SlowEvents) => slow.end()],
    [
      "the provider, by an error in its stream",
      (slow: SlowEvents) => slow.send(qwenError(2, 500, "InternalError", "It broke.")),
    ],
    [
      "the provider, in the middle of an event",
      (slow: SlowEvents) => {
        slow.send('id:2\nevent:result\ndata:{"output"');
        slow.end();
      },
    ],
  ])("%s: the client's connection breaks too, and what began is charged", async (_what, end) => {
    const slow = new SlowEvents("text/event-stream", qwenPiece(1, samplesOf(1), 5));
    provider.on(QWEN, slow.act);
    const reader = readerOf(await speak(SPEECH));
    await reader.read();
    end(slow);
    await expect(rest(reader)).rejects.toThrow("terminated");
    expect(await receipt()).toMatchObject({
      outcome: "interrupted",
      status: 200,
      code: "upstream_error",
      terms: [{ unit: "character", quantity: 5 }],
    });
  });

  it("the client: the provider is left at once, and the text is charged", async () => {
    const slow = new SlowEvents("text/event-stream", qwenPiece(1, samplesOf(1)));
    provider.on(QWEN, slow.act);
    const leaving = new AbortController();
    const reader = readerOf(await speak({ ...SPEECH, input: "Hello 世界" }, leaving.signal));
    await reader.read();
    leaving.abort();
    await slow.left;
    expect(await receipt()).toMatchObject({
      outcome: "cancelled",
      code: "client_closed",
      estimated: true,
      terms: [{ unit: "character", quantity: 10 }],
      nano: 100_000,
    });
  });

  it("the key's permission: the sound stops, and what began is charged", async () => {
    const { key, secret } = await postern.ask<{ key: { id: string }; secret: string }>("POST", "/keys", {
      name: "short-lived",
    });
    const slow = new SlowEvents("text/event-stream", qwenPiece(1, samplesOf(1), 5));
    provider.on(QWEN, slow.act);
    const reader = readerOf(await postern.post("/audio/speech", SPEECH, secret));
    await reader.read();
    await postern.control("DELETE", `/keys/${key.id}`);
    await expect(rest(reader)).rejects.toThrow("terminated");
    await slow.left;
    expect(await receipt()).toMatchObject({ outcome: "interrupted", terms: [{ unit: "character", quantity: 5 }] });
  });

  it("a provider that keeps its connection open after the last event holds no one up", async () => {
    const slow = new SlowEvents("text/event-stream", qwenPiece(1, samplesOf(0.5)), qwenEnd(2, 5));
    provider.on(QWEN, slow.act);
    const response = await speak(SPEECH);
    expect(mp3Of(Buffer.from(await response.arrayBuffer())).seconds).toBeGreaterThanOrEqual(0.5);
    await slow.left;
  });
});

describe("money", () => {
  it("is on the receipt before the response ends", async () => {
    const slow = new SlowEvents("text/event-stream", qwenPiece(1, samplesOf(0.5)), qwenEnd(2, 5));
    provider.on(QWEN, slow.act);
    const key = "sk-test-limited-key-0001";
    const response = await postern.post("/audio/speech", SPEECH, key);
    await response.arrayBuffer();
    expect(await postern.spentCents(key)).toBeCloseTo(0.005, 9);
  });
});

describe("the library", () => {
  it("keeps what was spoken, with what it came from", async () => {
    const slow = new SlowEvents("text/event-stream", qwenPiece(1, samplesOf(0.5)), qwenEnd(2, 12));
    provider.on(QWEN, slow.act);
    const text = `For the library ${process.pid}`;
    const response = await speak({ ...SPEECH, input: text, voice: "serena" });
    const bytes = Buffer.from(await response.arrayBuffer());
    interface Item {
      readonly type: string;
      readonly bytes: number;
      readonly link: string;
      readonly origin: { readonly prompt: string; readonly [field: string]: unknown };
    }
    const items = async (): Promise<readonly Item[]> => (await postern.ask<{ data: Item[] }>("GET", "/media")).data;
    await until(async () => (await items()).some(({ origin }) => origin.prompt === text));
    const item = (await items()).find(({ origin }) => origin.prompt === text);
    expect(item).toMatchObject({
      type: "audio/mpeg",
      bytes: bytes.length,
      origin: {
        endpoint: "speech",
        model: "gamma3-tts-flash",
        provider: "dashscope",
        parameters: { voice: "Serena", response_format: "mp3" },
        nano: 120_000,
        sandbox: false,
        request_id: response.headers.get("x-request-id"),
      },
    });
    const file = await fetch(`${postern.url}${item?.link ?? ""}`);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
  });
});
