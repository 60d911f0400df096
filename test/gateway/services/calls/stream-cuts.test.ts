import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createChatUnits } from "../../../../gateway/core/chat/chat-usage.ts";
import type { Units } from "../../../../gateway/core/models/model.ts";
import { systemClock } from "../../../../gateway/lib/clock.ts";
import { StreamRelay, type Beginning, type Ending } from "../../../../gateway/services/calls/stream-relay.ts";
import { chatDialect } from "../../../../gateway/services/chat/dialects/chat.ts";
import { passUntouched, withoutUsage } from "../../../../gateway/services/chat/chat-plan.ts";
import { StreamReader } from "../../../../gateway/services/calls/stream-reader.ts";
import type { BodySink } from "../../../../gateway/upstream/decode.ts";
import type { Exchange } from "../../../../gateway/upstream/transfer.ts";
import { DONE_FRAME, FINISH_FRAME, chunkText, contentFrame, usageFrame } from "../../../support/acts.ts";

interface Outcome {
  readonly beginning: Beginning["kind"];
  readonly ending: Ending["kind"] | null;
  readonly bytes: string;
  readonly usage: Units | null;
  readonly delivered: number;
}

/** Runs a provider's bytes in these pieces through a chat stream. */
async function run(pieces: readonly Buffer[], showUsage: boolean): Promise<Outcome> {
  const transform = showUsage ? passUntouched(chatDialect) : withoutUsage(chatDialect);
  const meter = new StreamReader(chatDialect.observer(createChatUnits), transform);
  const exchange: Exchange = {
    status: 200,
    headers: {},
    connectMs: 0,
    collect: () => Promise.reject(new Error("not collected")),
    reserve: () => () => undefined,
    consume(sink: BodySink) {
      for (const piece of pieces) sink.onData(piece);
      sink.onEnd();
    },
    pause() {},
    resume() {},
    abort() {},
  };
  const limits = {
    clock: systemClock,
    heartbeat: chatDialect.heartbeat,
    objection: () => null,
    cover: () => Number.POSITIVE_INFINITY,
    largest: 1,
  };
  const stream = new StreamRelay(exchange, meter, limits);
  const beginning = await stream.begin();
  const written: Buffer[] = [];
  const writer = {
    open() {},
    write: (bytes: Buffer | string) => written.push(Buffer.from(bytes)) > 0,
    onDrain() {},
    end: () => Promise.resolve(),
    destroy() {},
  };
  const ending = beginning.kind === "flowing" ? (await stream.flow(writer)).kind : null;
  return {
    beginning: beginning.kind,
    ending,
    bytes: Buffer.concat(written).toString("utf8"),
    usage: meter.usage,
    delivered: meter.delivered.characters,
  };
}

function slices(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, "utf8");
  const places = [...new Set(cuts.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...places]
    .map((start, index) => bytes.subarray(start, places[index] ?? bytes.length))
    .filter((slice) => slice.length > 0);
}

const SAMPLES: readonly string[] = [
  contentFrame("Grüße 😀") + contentFrame(" 世界") + FINISH_FRAME + usageFrame() + DONE_FRAME,
  (contentFrame("ä") + ": ping\n\n" + FINISH_FRAME + usageFrame() + DONE_FRAME).replaceAll("\n", "\r\n"),
  (contentFrame("ä") + FINISH_FRAME + usageFrame() + DONE_FRAME).replaceAll("\n", "\r"),
  `\uFEFF${contentFrame("x")}data: ${chunkText({ content: "y" }, { usage: { prompt_tokens: 3, completion_tokens: 2 } })}\n\n${FINISH_FRAME}data:[DONE]\n\n`,
  contentFrame("half") + 'data: {"error":{"message":"broke"}}\n\n' + contentFrame("never shown"),
  contentFrame("half") + "data: not json\n\n",
  FINISH_FRAME.slice(0, -1),
];

it.each(SAMPLES.map((text) => [text.slice(0, 60), text] as const))(
  "a cut at any place changes neither bytes nor metering: %s",
  async (_name, text) => {
    for (const showUsage of [true, false]) {
      const whole = await run([Buffer.from(text)], showUsage);
      for (let place = 1; place < Buffer.byteLength(text); place++) {
        expect(await run(slices(text, [place]), showUsage)).toEqual(whole);
      }
    }
  },
);

const chunk = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }).map(contentFrame),
  fc.constantFrom(": comment\n\n", usageFrame(), FINISH_FRAME),
  fc
    .record({ prompt_tokens: fc.nat(99), completion_tokens: fc.nat(99) })
    .map((usage) => `data: ${chunkText({ content: "u" }, { usage })}\n\n`),
);
const streams = fc
  .tuple(fc.array(chunk, { minLength: 1, maxLength: 8 }), fc.boolean(), fc.boolean())
  .map(([chunks, done, crlf]) => {
    const text = chunks.join("") + (done ? DONE_FRAME : "");
    return crlf ? text.replaceAll("\n", "\r\n") : text;
  });

it("any number of cuts of any stream gives the same bytes, the same metering, and what the reference parser reads", async () => {
  await fc.assert(
    fc.asyncProperty(streams, fc.array(fc.nat(), { maxLength: 10 }), fc.boolean(), async (text, cuts, showUsage) => {
      const outcome = await run(slices(text, cuts), showUsage);
      expect(outcome).toEqual(await run([Buffer.from(text)], showUsage));

      const providerEvents = eventsOf(text).filter((data) => data !== "[DONE]");
      let delivered = "";
      let usage: Units | null = null;
      for (const data of providerEvents) {
        const parsed = JSON.parse(data) as { choices: { delta: { content?: string } }[]; usage?: unknown };
        for (const { delta } of parsed.choices) delivered += delta.content ?? "";
        usage = createChatUnits(parsed.usage) ?? usage;
      }
      expect([outcome.delivered, outcome.usage]).toEqual([delivered.length, usage]);
      if (showUsage && outcome.beginning === "flowing") expect(eventsOf(outcome.bytes)).toEqual(providerEvents);
    }),
    { numRuns: 400 },
  );
});

function eventsOf(text: string): string[] {
  const events: string[] = [];
  createParser({ onEvent: (event) => events.push(event.data) }).feed(text);
  return events;
}
