import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createChatUnits } from "../../../../gateway/core/chat/chat-usage.ts";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import {
  StreamHead,
  StreamRelay,
  StreamWatch,
  getEndingError,
} from "../../../../gateway/services/calls/stream-relay.ts";
import type { Ending, StreamLimits, WatchedStream } from "../../../../gateway/services/calls/stream-relay.ts";
import { StreamReader } from "../../../../gateway/services/calls/stream-reader.ts";
import { chatDialect } from "../../../../gateway/services/chat/dialects/chat.ts";
import { passUntouched } from "../../../../gateway/services/chat/chat-plan.ts";
import { UpstreamFailure } from "../../../../gateway/upstream/failure.ts";
import { DONE_FRAME, FINISH_FRAME, contentFrame } from "../../../support/acts.ts";
import { bareConnection } from "../../../support/bare-connection.ts";

const MIB = 1024 * 1024;
let now = 0;
const clock = { now: () => now, monotonic: () => now };
const stopped = new GatewayError("invalid_api_key", "the key was revoked");
const broken = new UpstreamFailure("broken", true, "ECONNRESET");
beforeEach(() => {
  now = 0;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

/** What a writer and an exchange were asked to do, in order. */
function createStream(change: Partial<StreamLimits> = {}) {
  const log: string[] = [];
  const state = { text: "", isFull: false, drain: () => {}, hasRoom: () => {} };
  const note = (what: string) => () => void log.push(what);
  const exchange = {
    consume: note("consume"),
    pause: note("pause"),
    resume: note("resume"),
    abort: note("abort"),
    reserve: (bytes: number, ready: () => void) => {
      log.push(`reserve ${bytes}`);
      state.hasRoom = ready;
      return note("leave");
    },
  };
  const reader = new StreamReader(chatDialect.observer(createChatUnits), passUntouched(chatDialect));
  const relay = new StreamRelay(exchange as never, reader, {
    clock,
    heartbeat: ": beat\n\n",
    objection: () => null,
    cover: () => Infinity,
    largest: 7,
    ...change,
  });
  const writer = {
    open: (headers: object) => void log.push(`open ${Object.keys(headers).join()}`),
    write: (bytes: Buffer | string) => {
      state.text += String(bytes);
      return !state.isFull;
    },
    onDrain: (listener: () => void) => void (state.drain = listener),
    end: () => Promise.resolve(),
    destroy: note("destroy"),
  };
  const send = (text: string) => relay.onData(Buffer.from(text));
  return { relay, writer, log, state, send };
}
const END: Ending = { kind: "complete" };

describe("a stream", () => {
  it("begins with its first event, holds events back until someone takes them, and ends with its end mark", async () => {
    const { relay, writer, send, state, log } = createStream();
    const began = vi.fn<(beginning: object) => void>();
    const beginning = relay.begin().then(began);
    send(": a comment\n\n");
    await vi.advanceTimersByTimeAsync(0);
    expect(began).not.toHaveBeenCalled();
    send(contentFrame("a"));
    await beginning;
    expect(began).toHaveBeenCalledExactlyOnceWith({ kind: "flowing" });
    now = 5;
    const ended = relay.flow(writer);
    expect([state.text, relay.lastWrite]).toEqual([`: a comment\n\n${contentFrame("a")}`, 5]);
    now = 9;
    send(contentFrame("b") + FINISH_FRAME);
    expect([state.text.endsWith(FINISH_FRAME), relay.lastWrite]).toEqual([true, 9]);
    send(DONE_FRAME);
    const written = `: a comment\n\n${contentFrame("a")}${contentFrame("b")}${FINISH_FRAME}`;
    expect([await ended, state.text, log]).toEqual([END, written, ["consume"]]);
    expect(await relay.flow(writer)).toEqual(END);
  });

  it("lets its provider end the connection for a second after the end mark", async () => {
    const { relay, send, log } = createStream();
    void relay.begin();
    send(contentFrame("a") + FINISH_FRAME + DONE_FRAME);
    await vi.advanceTimersByTimeAsync(999);
    expect(log).toEqual(["consume"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(log).toEqual(["consume", "abort"]);
    for (const end of ["onEnd", "onError"] as const) {
      const other = createStream();
      void other.relay.begin();
      other.send(contentFrame("a") + FINISH_FRAME + DONE_FRAME);
      other.relay[end](broken);
      expect([vi.getTimerCount(), other.log]).toEqual([0, ["consume"]]);
    }
  });

  it("cuts off a provider that goes on after its end", () => {
    const { relay, send, log } = createStream();
    void relay.begin();
    send(contentFrame("a") + DONE_FRAME);
    send("more");
    expect(log).toEqual(["consume", "abort"]);
  });

  const whole = contentFrame("a") + FINISH_FRAME;
  it.each<[string, string, "onEnd" | "onError", Partial<Ending>]>([
    ["nothing", "", "onEnd", { kind: "broken", failure: null }],
    ["an end mark alone", DONE_FRAME, "onEnd", { kind: "broken" }],
    ["a whole response without an end mark", whole, "onEnd", END],
    ["a whole response whose connection breaks", whole, "onError", END],
    ["a part whose connection ends", contentFrame("a"), "onEnd", { kind: "broken" }],
    ["a part whose connection breaks", contentFrame("a"), "onError", { kind: "broken", failure: broken }],
    ["a last event without its blank line", contentFrame("a") + FINISH_FRAME.trimEnd(), "onEnd", END],
    ["a part and half an event", `${contentFrame("a")}data: {"cho`, "onEnd", { kind: "malformed" }],
    ["a whole response and half an event", `${whole}data: {"cho`, "onEnd", END],
    ["an error", `${contentFrame("a")}data: {"error":{"message":"m"}}\n\n`, "onEnd", { kind: "error" }],
    ["no JSON", `${contentFrame("a")}data: <html>\n\n`, "onEnd", { kind: "malformed" }],
    ["an event without an end", `data: ${"x".repeat(33 * MIB)}`, "onEnd", { kind: "malformed" }],
  ])("that is %s ends so", async (_what, text, end, ending) => {
    const { relay, writer, send, log } = createStream();
    const beginning = relay.begin();
    if (text !== "") send(text);
    relay[end](broken);
    const first = await beginning;
    expect(await relay.flow(writer)).toMatchObject(ending);
    expect(first.kind).toBe(text.startsWith(contentFrame("a")) ? "flowing" : ending.kind);
    const isRefused = ending.kind === "error" || ending.kind === "malformed";
    expect(log.includes("abort")).toBe(isRefused && text.length < MIB);
  });

  it("is paused while its client is too slow, and given up with both connections", async () => {
    const { relay, writer, send, state, log } = createStream();
    void relay.begin();
    send(contentFrame("a"));
    state.isFull = true;
    now = 4;
    const ended = relay.flow(writer);
    expect([relay.stalledSince, log]).toEqual([4, ["consume", "pause"]]);
    now = 6;
    send(contentFrame("b"));
    expect([relay.stalledSince, log.length]).toEqual([4, 2]);
    state.isFull = false;
    state.drain();
    expect([relay.stalledSince, log.slice(2)]).toEqual([null, ["resume"]]);
    relay.giveUp();
    relay.onCancelled();
    expect([await ended, log.slice(3)]).toEqual([{ kind: "cancelled" }, ["destroy", "abort"]]);
  });

  it("has a place among the large ones while its events are large, and reads on when it has one", async () => {
    const { relay, writer, send, state, log } = createStream();
    void relay.begin();
    send(contentFrame("a"));
    send(`data: ${" ".repeat(MIB - 6)}`);
    expect(log).toEqual(["consume"]);
    send(" ");
    send(" ");
    expect(log).toEqual(["consume", "pause", "reserve 7"]);
    const ended = relay.flow(writer);
    state.drain();
    expect(log).toHaveLength(3);
    state.hasRoom();
    expect(log.slice(3)).toEqual(["resume"]);
    relay.onCancelled();
    expect([await ended, log.slice(4)]).toEqual([{ kind: "cancelled" }, ["leave", "abort"]]);
  });

  it("does not read on for its place while its client is too slow", () => {
    const { relay, writer, send, state, log } = createStream();
    void relay.begin();
    void relay.flow(writer);
    state.isFull = true;
    send(contentFrame("x".repeat(MIB)));
    expect(log).toEqual(["consume", "pause", "reserve 7", "pause"]);
    state.hasRoom();
    expect(log).toHaveLength(4);
    state.drain();
    expect(log.slice(4)).toEqual(["resume"]);
  });

  it("is looked at again when it passes what is paid for", async () => {
    const cover = vi.fn<(characters: number) => number | GatewayError>((characters) => (characters < 5 ? 5 : stopped));
    const { relay, writer, send, log } = createStream({ cover });
    void relay.begin();
    const ended = relay.flow(writer);
    for (const text of ["ab", "cde", "f", "g"]) send(contentFrame(text));
    expect(cover.mock.calls).toEqual([[0], [6]]);
    expect([await ended, log]).toEqual([{ kind: "stopped", error: stopped }, ["consume", "abort", "abort"]]);
    // A stream that may cost nothing is not looked at again.
    const free = createStream({ cover: () => stopped });
    void free.relay.begin();
    free.send(contentFrame("abc"));
    expect(free.log).toEqual(["consume"]);
  });

  it("has one ending, which its first event does not change", async () => {
    const { relay, writer, log } = createStream();
    const beginning = relay.begin();
    relay.stop(stopped);
    relay.onCancelled();
    expect(await beginning).toEqual({ kind: "flowing" });
    expect(await relay.flow(writer)).toEqual({ kind: "stopped", error: stopped });
    expect(log).toEqual(["consume", "abort", "abort"]);
  });
});

describe("the head of a stream", () => {
  it("is sent once, with the first heartbeat or with its own headers", () => {
    const { writer, log, state } = createStream();
    now = 3;
    const head = new StreamHead(writer, clock, ": beat\n\n");
    expect([head.sent, head.lastWrite, head.objection()]).toEqual([false, 3, null]);
    head.beat(8);
    head.beat(9);
    head.send({ "x-more": "1" });
    expect([head.sent, head.lastWrite, state.text]).toEqual([true, 9, ": beat\n\n: beat\n\n"]);
    expect(log).toEqual(["open content-type,cache-control,x-accel-buffering"]);
    const other = createStream();
    new StreamHead(other.writer, clock, "").send({ "x-more": "1" });
    expect(other.log).toEqual(["open content-type,cache-control,x-accel-buffering,x-more"]);
  });
});

describe("a round over all streams", () => {
  function createWatched(change: Partial<WatchedStream> = {}) {
    const log: unknown[][] = [];
    const stream: WatchedStream = {
      lastWrite: 10,
      stalledSince: null,
      objection: () => null,
      beat: (at) => void log.push(["beat", at]),
      giveUp: () => void log.push(["give up"]),
      stop: (error) => void log.push(["stop", error]),
      ...change,
    };
    return { log, stream };
  }

  it.each<[string, Partial<WatchedStream>, number, unknown[]]>([
    ["silence of more than 15 s is bridged", {}, 15_010, ["beat", 15_011]],
    ["a client that takes nothing for 2 min is given up", { stalledSince: 10 }, 120_010, ["give up"]],
    ["a revoked key ends its stream", { objection: () => (now > 10 ? stopped : null) }, 10, ["stop", stopped]],
  ])("%s", (_what, change, before, act) => {
    const watch = new StreamWatch(clock);
    const { log, stream } = createWatched(change);
    const place = watch.add(stream);
    now = before + 1;
    vi.advanceTimersByTime(499);
    expect(log).toEqual([]);
    now = before;
    vi.advanceTimersByTime(1);
    expect(log).toEqual([]);
    now = before + 1;
    vi.advanceTimersByTime(500);
    expect(log).toEqual([act]);
    watch.sweep();
    expect(log).toEqual([act, act]);
    watch.delete(place, stream);
    watch.stopAll(stopped);
    watch.sweep();
    expect(log).toHaveLength(2);
  });

  it("ends every stream when Postern stops", () => {
    const watch = new StreamWatch(clock);
    const streams = [createWatched(), createWatched()];
    for (const { stream } of streams) watch.add(stream);
    watch.stopAll(stopped);
    for (const { log } of streams) expect(log).toEqual([["stop", stopped]]);
  });
});

it.each<[Ending, string | null, string]>([
  [END, null, ""],
  [{ kind: "cancelled" }, null, ""],
  [{ kind: "stopped", error: stopped }, "invalid_api_key", "the key was revoked"],
  [{ kind: "error", body: { error: { message: "no: secret-0001", code: 400 } } }, "invalid_value", "no: [redacted]"],
  [{ kind: "malformed", why: "nonsense" }, "upstream_error", "openai sent nonsense in its stream, so it was ended."],
  [{ kind: "broken", failure: null }, "upstream_error", "openai broke off before its response was complete."],
  [{ kind: "broken", failure: new UpstreamFailure("gap_timeout", true, "x") }, "upstream_timeout", "took too long"],
])("tells the client of the ending %j: %s", (ending, code, message) => {
  const connection = bareConnection("openai");
  const credential = { secret: "secret-0001" };
  const candidate = { connection, upstreamModel: "m", price: null };
  const error = getEndingError(ending, { exchange: { headers: {} }, candidate, credential } as never);
  expect(error?.code ?? null).toBe(code);
  expect(error?.message ?? "").toContain(message);
});
