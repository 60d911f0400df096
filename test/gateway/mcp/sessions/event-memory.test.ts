import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { eventId, readEventId } from "../../../../gateway/mcp/sessions/event-memory.ts";
import { EventMemory } from "../../../../gateway/mcp/sessions/event-memory.ts";
import { EventBuffer } from "../../../../gateway/mcp/sessions/event-buffer.ts";
import { TestClock } from "../../../support/test-clock.ts";

const MINUTE = 60_000;
const MIB = 1_024 * 1_024;
const STANDING = "_GET_stream";

let clock: TestClock;
let buffer: EventBuffer;
let now: number | string | null;
let memory: EventMemory;
const open = (): EventMemory => new EventMemory(buffer, clock, () => now);
beforeEach(() => {
  clock = new TestClock();
  buffer = new EventBuffer();
  now = null;
  memory = open();
});

const response = (id: number, text = ""): JSONRPCMessage => ({ jsonrpc: "2.0", id, result: { text } });
const news = (text: string): JSONRPCMessage => ({ jsonrpc: "2.0", method: "notifications/message", params: { text } });

/** The messages that a client gets which comes back with `id`. */
async function replay(id: string, of = memory): Promise<JSONRPCMessage[]> {
  const messages: JSONRPCMessage[] = [];
  await of.replayEventsAfter(id, {
    send: (_, message) => {
      messages.push(message);
      return Promise.resolve();
    },
  });
  return messages;
}

/** A request's stream that was started by an event without a message, as newer revisions have it; the id of that. */
function begin(request: number): Promise<string> {
  now = request;
  return memory.storeEvent(`stream-${request}`, {} as JSONRPCMessage);
}

async function answered(request: number, text = ""): Promise<string> {
  memory.over(request, true);
  return memory.storeEvent(`stream-${request}`, response(request, text));
}

describe("event ids", () => {
  it("say which request a stream answers", () => {
    const names = fc.record({
      life: fc.stringMatching(/^[\w-]{12}$/),
      stream: fc.nat(),
      sequence: fc.nat(),
      request: fc.oneof(fc.constant(null), fc.integer(), fc.string({ maxLength: 20 })),
    });
    fc.assert(
      fc.property(names, (name) => {
        expect(readEventId(eventId(name))).toEqual(name);
      }),
    );
  });

  it("leave out the name of a request that is too long, and read nothing from nonsense", () => {
    const id = eventId({ life: "a".repeat(12), stream: 1, sequence: 1, request: "x".repeat(10_000) });
    expect(id.length).toBeLessThan(40);
    expect(readEventId(`${"a".repeat(12)}.1.1.bm9uc2Vuc2U`)?.request).toBeNull();
    fc.assert(fc.property(fc.string(), (text) => readEventId(text) === null));
  });
});

describe("what a client missed", () => {
  it("is replayed from where it stands, and of its stream alone", async () => {
    const [one] = [await begin(1), await begin(2)];
    const first = await memory.storeEvent("stream-1", news("a"));
    await memory.storeEvent("stream-2", news("other"));
    await memory.storeEvent("stream-1", news("b"));
    expect(await replay(one)).toEqual([news("a"), news("b")]);
    expect(await replay(first)).toEqual([news("b")]);
    expect(memory.findPosition(first)).toEqual({ kind: "kept", request: 1 });
    await expect(replay("nonsense")).rejects.toThrow("no such event");
    expect(memory.findPosition("nonsense")).toEqual({ kind: "unknown" });
  });

  it("is the very message, not a copy of it", async () => {
    const id = await begin(1);
    const picture = response(1, "x".repeat(MIB));
    memory.over(1, true);
    await memory.storeEvent("stream-1", picture);
    expect((await replay(id))[0]).toBe(picture);
  });

  it("is kept for ten minutes, and for half a minute once it went out", async () => {
    const [unheard, received] = [await begin(1), await begin(2)];
    await answered(1);
    await answered(2);
    memory.markRead(2);
    clock.advance(MINUTE);
    memory.sweep();
    expect(memory.findPosition(received)).toMatchObject({ kind: "lost", request: 2 });
    expect(memory.findPosition(unheard)).toEqual({ kind: "kept", request: 1 });
    clock.advance(9 * MINUTE);
    memory.sweep();
    expect(memory.findPosition(unheard)).toMatchObject({ kind: "lost", request: 1 });
    expect(buffer.bytes).toBe(0);
  });

  it("is nothing when it has the last event, or when the request was cancelled", async () => {
    const id = await begin(1);
    const last = await answered(1);
    expect(memory.findPosition(id)).toEqual({ kind: "kept", request: 1 });
    expect(memory.findPosition(last)).toEqual({ kind: "whole" });
    const cancelled = await begin(2);
    memory.over(2, false);
    expect(memory.findPosition(cancelled)).toEqual({ kind: "whole" });
  });

  it("is known to be lost after a restart, and reported once", async () => {
    const id = await begin(7);
    const standing = await memory.storeEvent(STANDING, news("a"));
    memory = open();
    const position = memory.findPosition(id);
    expect(position).toMatchObject({ kind: "lost", request: 7 });
    expect(memory.findPosition(position.kind === "lost" ? position.end : "")).toEqual({ kind: "whole" });
    expect(memory.findPosition(standing)).toEqual({ kind: "unknown" });
    // Another session's, or an earlier life's: the streams of this one stay closed to it.
    await begin(1);
    await answered(1, "mine");
    expect(await memory.getStreamIdForEventId(id)).toBeUndefined();
  });

  it("on a standing stream begins where the last one ended", async () => {
    expect(memory.unheard).toBeNull();
    await memory.storeEvent(STANDING, news("a"));
    await memory.storeEvent(STANDING, news("b"));
    expect(await replay(memory.unheard ?? "")).toEqual([news("a"), news("b")]);
    memory.listening(true);
    expect(memory.unheard).toBeNull();
    await memory.storeEvent(STANDING, news("heard"));
    memory.listening(false);
    await memory.storeEvent(STANDING, news("c"));
    expect(await replay(memory.unheard ?? "")).toEqual([news("c")]);
  });
});

describe("bounds", () => {
  it("hold for the number of a session's events, the oldest go", async () => {
    const id = await begin(1);
    for (let n = 0; n < 1_500; n++) await memory.storeEvent("stream-1", news(`${n}`));
    const stored = await replay(id);
    expect(stored).toHaveLength(1_000);
    expect(stored[0]).toEqual(news("500"));
  });

  it("hold for a session's bytes", async () => {
    const id = await begin(1);
    for (let n = 0; n < 20; n++) await memory.storeEvent("stream-1", news("x".repeat(MIB)));
    expect(buffer.bytes).toBeLessThanOrEqual(8 * MIB);
    expect(await replay(id)).toHaveLength(7);
    await memory.storeEvent("stream-1", news("x".repeat(9 * MIB)));
    expect(buffer.bytes).toBe(0);
  });

  it("hold for all sessions together", async () => {
    const memories = Array.from({ length: 40 }, open);
    const ids: string[] = [];
    for (const one of memories) {
      now = 1;
      ids.push(await one.storeEvent("s", {} as JSONRPCMessage));
      await one.storeEvent("s", news("x".repeat(2 * MIB)));
    }
    expect(buffer.bytes).toBeLessThanOrEqual(64 * MIB);
    expect(await replay(ids[0] ?? "", memories[0])).toEqual([]);
    expect(await replay(ids[39] ?? "", memories[39])).toHaveLength(1);
    for (const one of memories) one.close();
    expect(buffer.bytes).toBe(0);
    await memories[39]?.storeEvent("s", news("late"));
    expect(buffer.bytes).toBe(0);
  });

  it("hold for streams whose end is remembered; those that go on stay", async () => {
    const running = await begin(0);
    const first = await begin(1);
    await answered(1);
    for (let n = 2; n < 1_100; n++) {
      await begin(n);
      memory.over(n, false);
    }
    expect(memory.findPosition(running)).toEqual({ kind: "kept", request: 0 });
    expect(memory.findPosition(first)).toMatchObject({ kind: "lost" });
  });
});
