import { gzipSync } from "node:zlib";
import type { Dispatcher } from "undici";
import { describe, expect, it, vi } from "vitest";
import { KnownSecrets } from "../../../gateway/lib/known-secrets.ts";
import { UpstreamFailure } from "../../../gateway/upstream/failure.ts";
import { ResponseRoom } from "../../../gateway/upstream/response-room.ts";
import { Transfer } from "../../../gateway/upstream/transfer.ts";
import type { Timeouts } from "../../../gateway/upstream/transfer.ts";

/** A transfer, what it says and what it asks of its connection. */
function openTransfer(room: ResponseRoom | null = null, limits: Partial<Timeouts> = {}) {
  const said: string[] = [];
  const aborts: string[] = [];
  const controller = {
    paused: false,
    rawHeaders: [] as unknown,
    pause: () => (controller.paused = true),
    resume: () => (controller.paused = false),
    abort: (reason: UpstreamFailure) => {
      aborts.push(`${reason.kind} ${reason.sent} ${reason.message}`);
      limited.push(reason.limit === null ? "null" : `${reason.limit.name} ${reason.limit.ms}`);
    },
  };
  const limited: string[] = [];
  const watched: string[] = [];
  const watch = {
    add: () => watched.push("add") - 1,
    remove: (place: number) => void watched.push(`remove ${place}`),
  };
  const transfer = new Transfer(
    ({ status }) => void said.push(`head ${status}`),
    ({ kind, sent }) => void said.push(`failure ${kind} ${sent}`),
    new KnownSecrets(),
    room,
    { head: 3_000, gap: 2_000, ...limits },
    watch as never,
  );
  const undici = controller as unknown as Dispatcher.DispatchController;
  const respond = (headers = {}, status = 200) => transfer.onResponseStart(undici, status, headers);
  const receive = (bytes: Buffer | number) =>
    transfer.onResponseData(undici, typeof bytes === "number" ? Buffer.alloc(bytes) : bytes);
  const fail = (error: Error) => transfer.onResponseError(undici, error);
  const tick = (times: number) => {
    for (let time = 0; time < times; time += 1) transfer.tick(1_000);
    return aborts.length;
  };
  const start = () => transfer.onRequestStart(undici);
  return { transfer, said, aborts, limited, controller, watched, start, respond, receive, fail, tick };
}

/** What comes of a promise that is over in this turn. */
async function settle(promise: Promise<Buffer>): Promise<string> {
  const state = await Promise.race([
    promise.then(
      ({ length }) => `${length} bytes`,
      (failure: UpstreamFailure) => failure.kind,
    ),
    new Promise<string>((resolve) => setImmediate(resolve, "under way")),
  ]);
  return state;
}

describe("a provider that says nothing", () => {
  it.each([
    ["text/event-stream; charset=utf-8", "\r\n\n", true],
    ["text/event-stream", "\n:\n", false],
    ["application/json", "\n\n", false],
  ])("is one that sends line ends alone in a stream of events: %s, %j", (type, text, isGivenUp) => {
    const flooding = openTransfer();
    flooding.start();
    flooding.respond({ "content-type": type });
    flooding.transfer.consume({ onData: () => {}, onEnd: () => {}, onError: () => {} });
    for (let round = 0; round < 4; round += 1) {
      flooding.receive(Buffer.from(text));
      flooding.tick(1);
    }
    expect(flooding.aborts.length > 0).toBe(isGivenUp);
  });

  it("sends many events at the same time, and others have their turn between them", async () => {
    const many = openTransfer();
    many.start();
    many.respond({ "content-type": "text/event-stream" });
    many.transfer.consume({ onData: () => {}, onEnd: () => {}, onError: () => {} });
    many.receive(Buffer.alloc(60_000, "a"));
    expect(many.controller.paused).toBe(false);
    many.receive(Buffer.alloc(60_000, "a"));
    expect(many.controller.paused).toBe(true);
    many.transfer.resume();
    expect(many.controller.paused).toBe(true);
    many.transfer.pause();
    await new Promise(setImmediate);
    expect(many.controller.paused).toBe(true);
    many.transfer.resume();
    expect(many.controller.paused).toBe(false);
  });

  it("is given up after the time for its head, and later for the next chunk", () => {
    const waiting = openTransfer();
    expect(waiting.tick(9)).toBe(0);
    waiting.start();
    // The first round may come right after the start.
    expect(waiting.tick(3)).toBe(0);
    expect(waiting.tick(1)).toBe(1);
    expect(waiting.aborts).toEqual(["head_timeout true the provider said nothing for 3 s"]);
    const started = openTransfer();
    started.start();
    started.tick(3);
    started.respond();
    expect(started.tick(2)).toBe(0);
    started.receive(1);
    expect(started.tick(2)).toBe(0);
    started.tick(1);
    expect(started.aborts).toEqual(["gap_timeout true the provider said nothing for 2 s"]);
  });

  it("is not, while it takes the request, announces its response, or is not read", () => {
    const { transfer, controller, said, start, respond, tick } = openTransfer();
    start();
    tick(3);
    transfer.onBodySent(Buffer.alloc(1));
    tick(3);
    respond({}, 103);
    expect([said, transfer.status, controller.rawHeaders]).toEqual([[], 0, null]);
    tick(3);
    transfer.onBodySent(Buffer.alloc(1));
    respond({}, 199);
    respond();
    expect(said).toEqual(["head 200"]);
    controller.paused = true;
    expect(tick(9)).toBe(0);
    controller.paused = false;
    expect([tick(2), tick(1)]).toEqual([0, 1]);
  });

  it.each<[string, Partial<Timeouts>, boolean, readonly (number | "head" | "byte")[], string]>([
    ["a stream that does not begin", { headLimit: "first_byte" }, false, [4], "first_byte 3000"],
    ["a whole response that does not begin", { headLimit: "call", call: 3_000 }, false, [4], "call 3000"],
    ["silence", { headLimit: "call" }, false, ["head", 3], "silence 2000"],
    ["a stream without end", { headLimit: "call", call: 5_000 }, false, ["byte", 2, "byte", 2, "byte", 2], "call 5000"],
    ["a fixed limit", {}, true, [4], "null"],
    ["silence of a local server", { headLimit: "first_byte" }, true, [900, "head", 900, "byte", 3], "silence 2000"],
    ["a local stream", { headLimit: "call", call: 2_500 }, true, [9, "byte", 2, "byte", 2], "call 2500"],
  ])("names the owner's limit that ends it: %s", (_what, limits, isLocal, course, named) => {
    const { transfer, limited, start, respond, receive, tick } = openTransfer(null, limits);
    transfer.onDispatched({ made: 0, isLocal });
    start();
    for (const [index, step] of course.entries()) {
      expect(limited, `before step ${index}`).toEqual([]);
      if (typeof step === "number") tick(step);
      else if (step === "head") respond();
      else receive(1);
    }
    expect(limited).toEqual([named]);
  });

  it.each([
    ["ends", (of: ReturnType<typeof openTransfer>) => of.transfer.onResponseEnd()],
    ["breaks", (of: ReturnType<typeof openTransfer>) => of.fail(new Error("reset"))],
  ])("is watched from the request on until its response %s", (_how, end) => {
    const parts = openTransfer();
    expect(parts.watched).toEqual([]);
    parts.start();
    parts.start();
    expect(parts.watched).toEqual(["add"]);
    end(parts);
    expect(parts.watched).toEqual(["add", "remove 0"]);
  });
});

it.each([
  [1, 50],
  [0, 0],
])("%d new connections are a wait of %d ms", (made, ms) => {
  const { transfer, start } = openTransfer();
  const connections = { made: 3, isLocal: false };
  vi.spyOn(performance, "now").mockReturnValueOnce(100).mockReturnValueOnce(150);
  transfer.onDispatched(connections);
  connections.made += made;
  start();
  expect(transfer.connectMs).toBe(ms);
});

it("only headers that hold a secret are written again", () => {
  const secrets = new KnownSecrets();
  secrets.set(["sk-0123456789abcdef"]);
  const heads: Readonly<Record<string, string>>[] = [];
  for (const message of [{ "x-a": "a" }, { "x-a": "a", "x-b": "key sk-0123456789abcdef!" }]) {
    const transfer = new Transfer(
      ({ headers }) => void heads.push(headers, message),
      () => undefined,
      secrets,
    );
    transfer.onResponseStart({ rawHeaders: null } as never, 200, message);
  }
  expect(heads[0]).toBe(heads[1]);
  expect(heads[2]).toEqual({ "x-a": "a", "x-b": expect.stringMatching(/^key (?!sk-01234).{19}!$/) });
});

describe("a transfer that is aborted", () => {
  it("before it has a connection has sent nothing, and sends nothing when it gets one", () => {
    const { transfer, said, aborts, watched, start } = openTransfer();
    transfer.abort();
    transfer.abort();
    expect(said).toEqual(["failure aborted false"]);
    start();
    expect([aborts, watched]).toEqual([["aborted true aborted"], []]);
  });

  it("ends its connection once, unless its response has ended", () => {
    const { transfer, aborts, start } = openTransfer();
    start();
    transfer.abort();
    transfer.abort();
    expect(aborts).toEqual(["aborted true aborted"]);
    const ended = openTransfer();
    ended.start();
    ended.respond();
    ended.transfer.onResponseEnd();
    ended.transfer.abort();
    expect(ended.aborts).toEqual([]);
  });

  it.each([
    [true, new Error("reset"), "aborted true"],
    [false, new UpstreamFailure("aborted", true, "stop"), "aborted true"],
    [false, new UpstreamFailure("gap_timeout", true, "slow"), "gap_timeout true"],
    [false, new Error("reset"), "broken true"],
  ])("by Postern: %j, fails after %s as %s", (isAborted, error, failure) => {
    const { transfer, said, start, fail } = openTransfer();
    start();
    if (isAborted) transfer.abort();
    fail(error);
    expect(said).toEqual([`failure ${failure}`]);
  });

  it("before it began has sent nothing", () => {
    const { said, fail } = openTransfer();
    fail(new UpstreamFailure("aborted", false, "stop"));
    fail(new Error("refused"));
    expect(said).toEqual(["failure aborted false", "failure refused false"]);
  });
});

describe("a body that is collected", () => {
  const begin = (room: ResponseRoom | null = null, headers = {}) => {
    const parts = openTransfer(room);
    parts.start();
    parts.respond(headers);
    return parts;
  };

  it.each([
    [10, [4, 6], "10 bytes"],
    [10, [10], "10 bytes"],
    [10, [4, 7], "too_large"],
    [10, [], "0 bytes"],
  ])("up to %d bytes in chunks of %j is %s", async (limit, chunks, expected) => {
    for (const isEarly of [true, false]) {
      const { transfer, receive, aborts } = begin();
      const early = isEarly ? chunks : [];
      for (const bytes of early) receive(bytes);
      const body = transfer.collect(limit);
      for (const bytes of isEarly ? [] : chunks) receive(bytes);
      if (expected !== "too_large") expect(await settle(body)).toBe("under way");
      transfer.onResponseEnd();
      expect(await settle(body)).toBe(expected);
      expect(aborts.length).toBe(expected === "too_large" ? 1 : 0);
    }
  });

  it.each([
    [{ "content-length": "11" }, "too_large"],
    [{ "content-length": "10" }, "under way"],
    [{ "content-length": "11", "content-encoding": "gzip" }, "under way"],
    [{}, "under way"],
  ])("of at most 10 bytes whose head says %j is %s", async (headers, expected) => {
    const { transfer, aborts } = begin(null, headers);
    expect(await settle(transfer.collect(10))).toBe(expected);
    expect(aborts).toHaveLength(expected === "too_large" ? 1 : 0);
  });

  it.each([
    ["that has ended", (of: ReturnType<typeof begin>) => of.transfer.onResponseEnd(), "1 bytes"],
    ["that has broken", (of: ReturnType<typeof begin>) => of.fail(new Error("reset")), "broken"],
  ])("from a response %s by then", async (_what, end, expected) => {
    const parts = begin();
    parts.receive(1);
    end(parts);
    expect(await settle(parts.transfer.collect(10))).toBe(expected);
    expect(parts.said).toEqual(["head 200"]);
  });

  const MEGABYTE = 1_048_576;
  const DECLARED = { "content-length": String(4 * MEGABYTE) };
  it("waits for room for three times its declared size, from the first megabyte on", async () => {
    const room = new ResponseRoom(13 * MEGABYTE);
    const leave = room.enter(2 * MEGABYTE, () => undefined);
    const { transfer, controller, receive } = begin(room, DECLARED);
    const body = transfer.collect(9 * MEGABYTE);
    receive(MEGABYTE);
    expect(controller.paused).toBe(false);
    receive(1);
    expect(controller.paused).toBe(true);
    leave();
    expect(controller.paused).toBe(false);
    let isNext = false;
    let isBeside = false;
    room.enter(MEGABYTE, () => (isBeside = true));
    room.enter(1, () => (isNext = true));
    receive(MEGABYTE);
    expect([controller.paused, isBeside, isNext]).toEqual([false, true, false]);
    transfer.onResponseEnd();
    expect(await settle(body)).toBe(`${2 * MEGABYTE + 1} bytes`);
    expect(isNext).toBe(true);
  });

  it.each([
    ["fails", (of: ReturnType<typeof begin>) => of.fail(new Error("reset"))],
    ["is too large", (of: ReturnType<typeof begin>) => of.receive(9 * MEGABYTE)],
  ])("gives its place up when it %s", async (_how, end) => {
    const room = new ResponseRoom(6 * MEGABYTE);
    const parts = begin(room);
    const body = parts.transfer.collect(3 * MEGABYTE);
    parts.receive(2 * MEGABYTE);
    let isNext = false;
    room.enter(6 * MEGABYTE, () => (isNext = true));
    expect(isNext).toBe(false);
    end(parts);
    expect(isNext).toBe(true);
    await settle(body);
  });

  it("keeps its place until its reader gives it up", async () => {
    const room = new ResponseRoom(6 * MEGABYTE);
    const parts = begin(room);
    const leaves: (() => void)[] = [];
    const body = parts.transfer.collect(3 * MEGABYTE, (leave) => void leaves.push(leave));
    parts.receive(2 * MEGABYTE);
    parts.transfer.onResponseEnd();
    await settle(body);
    let isNext = false;
    room.enter(6 * MEGABYTE, () => (isNext = true));
    expect(isNext).toBe(false);
    leaves[0]?.();
    expect([isNext, leaves.length]).toEqual([true, 1]);
  });

  it("takes a place for what has come where less was declared", () => {
    const room = new ResponseRoom(6 * MEGABYTE);
    const { transfer, receive } = begin(room, { "content-length": "1" });
    void transfer.collect(3 * MEGABYTE);
    receive(2 * MEGABYTE);
    let isNext = false;
    room.enter(1, () => (isNext = true));
    expect(isNext).toBe(false);
  });

  it("needs no room where it is small, or where none exists", async () => {
    const parts = begin(new ResponseRoom(1));
    let stored = 0;
    void parts.transfer.collect(MEGABYTE, () => (stored += 1));
    parts.receive(10);
    parts.transfer.onResponseEnd();
    expect(stored).toBe(0);
    const large = begin(null);
    const body = large.transfer.collect(3 * MEGABYTE);
    large.receive(2 * MEGABYTE);
    expect(large.controller.paused).toBe(false);
    large.transfer.onResponseEnd();
    expect(await settle(body)).toBe(`${2 * MEGABYTE} bytes`);
  });

  it("is refused by its packed size as well, and unpacked no further while it is paused", async () => {
    const packed = gzipSync(Buffer.alloc(100));
    const { transfer, receive, aborts } = begin(null, { "content-encoding": "gzip" });
    const body = transfer.collect(10);
    receive(packed);
    expect(await settle(body)).toBe("too_large");
    expect(aborts).toHaveLength(1);
    const chunks: string[] = [];
    const unpack = (name: string) => {
      const { transfer: other, receive: give, controller } = begin(null, { "content-encoding": "gzip" });
      other.consume({ onData: ({ length }) => void chunks.push(`${name} ${length}`), onEnd() {}, onError() {} });
      return { other, controller, give: () => give(packed) };
    };
    const [paused, free] = [unpack("paused"), unpack("free")];
    paused.other.pause();
    for (const each of [paused, free]) each.give();
    await vi.waitUntil(() => chunks.length > 0);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([chunks, paused.controller.paused]).toEqual([["free 100"], false]);
    paused.other.resume();
    await vi.waitUntil(() => chunks.length > 1);
    expect(chunks).toEqual(["free 100", "paused 100"]);
  });
});
