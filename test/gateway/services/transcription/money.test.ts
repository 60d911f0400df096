import { beforeEach, describe, expect, it } from "vitest";
import { until, providersAt } from "../../../support/running-gateway.ts";
import { opus } from "../../../support/media-samples.ts";
import { soundForm, transcribe } from "../../../support/transcription-acts.ts";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** What transcriptions hold and cost. */

const ROUTE = "POST /v1/audio/transcriptions";
const wire = useWire();
const postern = useGateway(() => ({ env: providersAt({ OPENAI: `${wire.origin}/v1` }) }));
beforeEach(() => wire.reset());

/** $0.0045 a minute, in 10⁻⁹ USD. */
const SECOND = 75_000;

describe("what a transcription costs", () => {
  it.each<[string, object, number, boolean]>([
    ["the provider's seconds", { usage: { type: "duration", seconds: 7 } }, 7, false],
    ["the length in its response", { duration: 5.984 }, 5.984, false],
    ["what was measured here, as an estimate", {}, 6, true],
    // It bills by length, whatever its stream counts.
    [
      "what was measured, where tokens are told",
      { usage: { type: "tokens", input_tokens: 60, output_tokens: 9 } },
      6,
      true,
    ],
  ])("is %s", async (_, reported, seconds, estimated) => {
    wire.on(ROUTE, reply(200, { text: "hello", ...reported }));
    await (await transcribe(postern, soundForm({ model: "gpt-transcribe" }))).text();
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ outcome: "completed", estimated, nano: Math.round(seconds * SECOND) });
    expect(receipt.terms).toMatchObject([{ unit: "second", quantity: seconds }]);
    expect(receipt.price?.source).toContain("genai-prices");
  });

  it("is counted in tokens where tokens are sold and none are reported", async () => {
    wire.on(ROUTE, reply(200, { text: "The kettle whistles." }));
    await (await transcribe(postern, soundForm({ model: "gpt-4o-mini-transcribe", prompt: "A kettle" }))).text();
    const receipt = await postern.receipt();
    expect(receipt.estimated).toBe(true);
    expect(receipt.terms.map(({ unit, quantity }) => [unit, quantity > 1])).toEqual([
      ["input", true],
      ["audio_input", true],
      ["output", true],
    ]);
    expect(receipt.terms.find(({ unit }) => unit === "audio_input")?.quantity).toBe(60);
  });

  it("is all of the sound for a stream that breaks off", async () => {
    wire.on(ROUTE, (_seen, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write('data: {"type":"transcript.text.delta","delta":"hello"}\n\n', () => outgoing.destroy());
    });
    const broken = await transcribe(postern, soundForm({ model: "gpt-transcribe", stream: "true" }));
    expect(await broken.text()).toContain('"error"');
    expect(await postern.receipt()).toMatchObject({ outcome: "interrupted", estimated: true, nano: 6 * SECOND });
  });
});

describe("what a transcription holds", () => {
  it("with money for two, two of a hundred calls at once are made, and no more is spent", async () => {
    // 60 seconds hold 61: a provider may count one more.
    const key = await postern.limitedKey((2 * 61 * SECOND + 100) / 1e9);
    const pending: number[] = [];
    let refused = 0;
    wire.on(ROUTE, async (_seen, outgoing) => {
      await until(() => refused === 98);
      pending.push((await key.view()).held_nano);
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ text: "hello", usage: { type: "duration", seconds: 60 } }));
    });
    const sound = opus(60_000);
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const response = await transcribe(postern, soundForm({ model: "gpt-transcribe" }, sound, "a.ogg"), {
          key: key.secret,
        });
        await response.arrayBuffer();
        if (response.status !== 200) refused += 1;
        return response.status;
      }),
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 200, ...Array<number>(98).fill(402)]);
    expect(pending[0]).toBe(2 * 61 * SECOND);
    expect(await key.view()).toMatchObject({ spent_nano: 2 * 60 * SECOND, held_nano: 0, in_flight: 0 });
  });

  it.each<[string, Buffer, string, number]>([
    ["an Opus file of two minutes", opus(120_000), "a.ogg", 121],
    // 30,000 bytes at six kilobits a second.
    [
      "a kind of file that is not known here",
      Buffer.concat([Buffer.from("#!AMR\n\0"), Buffer.alloc(29_993, 0xf3)]),
      "a.amr",
      41,
    ],
  ])("of %s is what it can be at most", async (_, sound, name, seconds) => {
    wire.on(ROUTE, reply(200, { text: "hello", usage: { type: "duration", seconds: 1 } }));
    const ask = async (usd: number): Promise<number> => {
      const { secret } = await postern.limitedKey(usd);
      return (await transcribe(postern, soundForm({ model: "gpt-transcribe" }, sound, name), { key: secret })).status;
    };
    expect([await ask((seconds * SECOND) / 1e9), await ask((seconds * SECOND - 1) / 1e9)]).toEqual([200, 402]);
  });

  it("is given back where the sound is shorter than it could be", async () => {
    const key = await postern.limitedKey(1);
    wire.on(
      ROUTE,
      replyEvents('data: {"type":"transcript.text.done","text":"hi","usage":{"type":"duration","seconds":2}}\n\n'),
    );
    await (
      await transcribe(postern, soundForm({ model: "gpt-transcribe", stream: "true" }), { key: key.secret })
    ).text();
    expect(await key.view()).toMatchObject({ spent_nano: 2 * SECOND, held_nano: 0 });
  });
});
