import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import type { MediaPage } from "../../../../gateway/contract/media.ts";
import {
  IMAGE_USAGE,
  OPENAI_ROUTE,
  PIXEL_BASE64,
  completedEvent,
  imageEvent,
  partialEvent,
} from "../../../support/image-acts.ts";
import { until, providersAt } from "../../../support/running-gateway.ts";
import { replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const wire = useWire();
const postern = useGateway(() => ({ env: providersAt({ OPENAI: `${wire.origin}/v1` }) }));
beforeEach(() => wire.reset());

const STREAM = {
  model: "delta-image-1",
  prompt: "A red fox",
  quality: "high",
  size: "1024x1024",
  stream: true,
} as const;
/** Nano USD of IMAGE_USAGE at delta-image-1. */
const NANO = 44 * 5_000 + 4_160 * 40_000;

const ask = (body: unknown = STREAM): Promise<Response> => postern.post("/images/generations", body);

/** Reads on until the text holds `wanted`. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, expected: string): Promise<string> {
  let text = "";
  while (!text.includes(expected)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended without ${expected}: ${text}`);
    text += Buffer.from(value).toString("utf8");
  }
  return text;
}

it("OpenAI's SDK reads partial images and the completed one", async () => {
  wire.on(OPENAI_ROUTE, replyEvents(partialEvent(0), partialEvent(1), completedEvent()));
  const stream = await postern.sdk().images.generate({ ...STREAM, partial_images: 2 });
  const events = [];
  for await (const event of stream) events.push(event);
  expect(events.map(({ type }) => type)).toEqual([
    "image_generation.partial_image",
    "image_generation.partial_image",
    "image_generation.completed",
  ]);
  expect(events.at(-1)).toMatchObject({ b64_json: PIXEL_BASE64, usage: IMAGE_USAGE });
  expect(wire.seen[0]?.json).toMatchObject({ model: "gpt-image-1", stream: true, partial_images: 2 });
  expect(await postern.receipt()).toMatchObject({ stream: true, outcome: "completed", nano: NANO, estimated: false });
});

it("events are passed on byte for byte, as they come, and the receipt is there before the last", async () => {
  let provider: ServerResponse | undefined;
  wire.on(OPENAI_ROUTE, (_seen, outgoing) => {
    provider = outgoing;
    outgoing.writeHead(200, { "content-type": "text/event-stream" }).write(partialEvent(0));
  });
  const response = await ask({ ...STREAM, partial_images: 1 });
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect(await readUntil(reader, "\n\n")).toBe(partialEvent(0));
  const before = (await postern.receipts()).length;
  provider?.end(completedEvent());
  expect(await readUntil(reader, "\n\n")).toBe(completedEvent());
  const receipts = await postern.receipts();
  expect(receipts).toHaveLength(before + 1);
  expect(receipts[0]?.nano).toBe(NANO);
  expect((await reader.read()).done).toBe(true);
});

it("several images each have a closing event: all pass, and their usage is summed", async () => {
  wire.on(OPENAI_ROUTE, replyEvents(partialEvent(0), completedEvent(), partialEvent(0), completedEvent()));
  const text = await (await ask({ ...STREAM, n: 2, partial_images: 1 })).text();
  expect(text).toBe(partialEvent(0) + completedEvent() + partialEvent(0) + completedEvent());
  expect(await postern.receipt()).toMatchObject({ outcome: "completed", nano: 2 * NANO });
});

it("fewer images than were asked for end in peace", async () => {
  wire.on(OPENAI_ROUTE, replyEvents(completedEvent(), "data: [DONE]\n\n"));
  expect(await (await ask({ ...STREAM, n: 2 })).text()).toBe(completedEvent());
  expect(await postern.receipt()).toMatchObject({ outcome: "completed", nano: NANO });
});

it("usage that is not reported is estimated", async () => {
  wire.on(OPENAI_ROUTE, replyEvents(partialEvent(0), completedEvent(null)));
  await (await ask({ ...STREAM, partial_images: 1 })).text();
  const receipt = await postern.receipt();
  expect(receipt).toMatchObject({ outcome: "completed", estimated: true });
  expect(receipt.terms).toMatchObject([{ unit: "input" }, { unit: "image_output", quantity: 4_160 + 100 }]);
});

describe("what goes wrong", () => {
  const FAILURE = { message: "The server had an error.", type: "server_error", param: null, code: null };

  it("in the middle is reported in-band, and what came is billed", async () => {
    wire.on(OPENAI_ROUTE, replyEvents(partialEvent(0), imageEvent({ type: "error", error: FAILURE })));
    const text = await (await ask({ ...STREAM, partial_images: 1 })).text();
    expect(text.startsWith(partialEvent(0))).toBe(true);
    const last = JSON.parse(text.slice(partialEvent(0).length).replace(/^data: /, "")) as { error: object };
    expect(last.error).toMatchObject({ code: "upstream_error", message: expect.stringContaining(FAILURE.message) });
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ outcome: "interrupted", estimated: true, code: "upstream_error" });
    expect(receipt.terms).toMatchObject([{ unit: "input" }, { unit: "image_output", quantity: 100 }]);
  });

  it("reaches the SDK as an error", async () => {
    wire.on(OPENAI_ROUTE, replyEvents(partialEvent(0), imageEvent({ type: "error", error: FAILURE })));
    const stream = await postern.sdk().images.generate({ ...STREAM, partial_images: 1 });
    const read = async (): Promise<void> => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toThrow(/server had an error/);
  });
});

it("the completed image is kept, unfinished ones are not", async () => {
  wire.on(OPENAI_ROUTE, replyEvents(partialEvent(0), completedEvent()));
  const response = await ask({ ...STREAM, prompt: "A fox to keep", partial_images: 1 });
  await response.text();
  const id = response.headers.get("x-request-id");
  const stored = async () =>
    (await postern.ask<MediaPage>("GET", "/media")).data.filter(({ origin }) => origin?.request_id === id);
  await until(async () => (await stored()).length > 0);
  expect(await stored()).toMatchObject([
    {
      kind: "image",
      type: "image/png",
      width: 1,
      height: 1,
      origin: {
        endpoint: "images",
        model: "delta-image-1",
        provider: "openai",
        prompt: "A fox to keep",
        parameters: { quality: "high", size: "1024x1024" },
        seed: null,
        nano: NANO,
        sandbox: false,
      },
    },
  ]);
});
