import { describe, expect, it } from "vitest";
import type { GatewayEvent } from "../../../gateway/contract/events.ts";
import { followEvents, waitBefore } from "../../../renderer/api/events.ts";

const encoder = new TextEncoder();

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

/** Follows streams made of these byte pieces, one stream after the other, until the last has ended. */
async function follow(streams: readonly (readonly Uint8Array[] | number | Error)[]) {
  const events: GatewayEvent[] = [];
  const connection: boolean[] = [];
  const asked: (string | null)[] = [];
  const pauses: number[] = [];
  const stop = new AbortController();
  let unauthorized = 0;
  let next = 0;
  await followEvents({
    bearer: () => "b1",
    onEvent: (event) => events.push(event),
    onConnection: (connected) => connection.push(connected),
    onUnauthorized: () => (unauthorized += 1),
    signal: stop.signal,
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
      if (next >= streams.length) stop.abort();
    },
    fetch: async (_path, init) => {
      asked.push(new Headers(init?.headers).get("authorization"));
      const stream = streams[next++];
      if (stream instanceof Error) throw stream;
      if (typeof stream === "number") return new Response("{}", { status: stream });
      return new Response(streamOf(stream ?? []));
    },
  });
  return { events, connection, asked, pauses, unauthorized };
}

const frame = (event: unknown): Uint8Array => encoder.encode(`data: ${JSON.stringify(event)}\n\n`);
const keysChanged = { type: "keys.changed" };

it("reads frames wherever the bytes are cut, and passes comments over", async () => {
  const bytes = encoder.encode(
    `: open\n\ndata: {"type":"traffic.changed","in_flight":2}\n\n: beat\n\ndata: {"type":"keys.changed"}\n\n`,
  );
  const single = [...bytes].map((byte) => Uint8Array.of(byte));
  const { events, asked } = await follow([single]);
  expect(events).toEqual([{ type: "traffic.changed", in_flight: 2 }, keysChanged]);
  expect(asked).toEqual(["Bearer b1"]);
});

it("passes over what it does not know", async () => {
  const { events } = await follow([
    [encoder.encode("data: not json\n\n"), frame({ type: "from.the.future" }), frame(keysChanged)],
  ]);
  expect(events).toEqual([keysChanged]);
});

it("connects again after an end, an error and a refusal to connect, and says so on changes only", async () => {
  const { events, connection, pauses } = await follow([
    [frame(keysChanged)],
    new TypeError("network"),
    503,
    [frame(keysChanged)],
  ]);
  expect(events).toHaveLength(2);
  expect(connection).toEqual([true, false, true, false]);
  expect(pauses).toHaveLength(4);
});

it("ends for good when the bearer is refused", async () => {
  const { unauthorized, asked } = await follow([401, [frame(keysChanged)]]);
  expect([unauthorized, asked.length]).toEqual([1, 1]);
});

describe("pauses", () => {
  it("grow, are capped, and are partly random", () => {
    expect([0, 1, 2, 5, 50].map((failures) => waitBefore(failures, () => 1))).toEqual([
      500, 1_000, 2_000, 15_000, 15_000,
    ]);
    expect(waitBefore(3, () => 0)).toBe(2_000);
  });
});
