import { beforeEach, describe, expect, it, vi } from "vitest";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { accessLog } from "../../../../gateway/http/middleware/access-log.ts";
import { errors } from "../../../../gateway/http/middleware/errors.ts";
import { isThisMachine, localOnly } from "../../../../gateway/http/middleware/local-only.ts";
import { refuseLoops } from "../../../../gateway/http/middleware/loop.ts";
import { refuseWhenPaused } from "../../../../gateway/http/middleware/paused.ts";
import { requestId } from "../../../../gateway/http/middleware/request-id.ts";
import { refuseWhenStopping } from "../../../../gateway/http/middleware/stopping.ts";
import { noteTraceParent } from "../../../../gateway/http/middleware/trace-parent.ts";
import { WrongKeys } from "../../../../gateway/http/middleware/wrong-keys.ts";
import type { Context } from "../../../../gateway/http/state.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";

const lines: [event: string, data: Record<string, unknown>][] = [];
const note = (event: string, data: Record<string, unknown>): number => lines.push([event, data]);
const log = { info: note, error: note } as never;
let now = 0;
const clock = { now: () => now, monotonic: () => now };
beforeEach(() => {
  now = 0;
  lines.length = 0;
});

/** A request as middleware meets it. */
function createContext(change: { state?: object; res?: object; req?: object; method?: string; path?: string } = {}) {
  const res = {
    headersSent: false,
    statusCode: 200,
    writeHead: vi.fn<(status: number, headers: object) => void>(),
    end: vi.fn<(body: string) => void>(),
    destroy: vi.fn<() => void>(),
    tell: vi.fn<(name: string, value: string) => void>(),
    ...change.res,
  };
  const state = { area: "v1", family: "nested", requestId: "req_1", arrivedAt: 0, key: null, ...change.state };
  const req = { headers: {}, socket: {}, ...change.req };
  const { method = "POST", path = "/v1/chat/completions" } = change;
  return {
    method,
    path,
    state,
    req,
    res,
    get status() {
      return res.statusCode;
    },
  } as unknown as Context & { res: typeof res };
}

describe("errors", () => {
  it.each<[string, Error, string, object, number, object]>([
    [
      "an expected error",
      new GatewayError("invalid_value", "no"),
      "nested",
      {},
      400,
      { error: { message: "no", code: "invalid_value" } },
    ],
    [
      "an error for Anthropic's clients",
      new GatewayError("invalid_value", "no"),
      "anthropic",
      {},
      400,
      { type: "error", request_id: "req_1" },
    ],
    [
      "an error for tool clients",
      new GatewayError("paused", "no"),
      "jsonrpc",
      { jsonrpc: "2.0", id: 7, method: "ping" },
      503,
      { jsonrpc: "2.0", id: 7 },
    ],
    [
      "a failed write",
      new StoreWriteError("EIO"),
      "nested",
      {},
      503,
      { error: { code: "storage_unavailable", message: "Nothing was changed: EIO" } },
    ],
    ["a mistake of ours", new RangeError("secret"), "nested", {}, 500, { error: { code: "internal_error" } }],
  ])("writes %s in the envelope of its route", async (_what, thrown, family, body, status, shown) => {
    const context = createContext({ state: { family, body } });
    await errors(log)(context, () => Promise.reject(thrown));
    const [written, headers] = context.res.writeHead.mock.calls[0] ?? [];
    const text = context.res.end.mock.calls[0]?.[0] ?? "";
    expect(written).toBe(status);
    expect(headers).toMatchObject({ "content-length": Buffer.byteLength(text), "cache-control": "no-store" });
    expect(JSON.parse(text)).toMatchObject(shown);
    expect([context.respond, context.res.destroy.mock.calls.length, text.includes("secret")]).toEqual([
      false,
      0,
      false,
    ]);
    expect(context.state.errorCode).toBe(
      status === 500 ? "internal_error" : ((thrown as GatewayError).code ?? "storage_unavailable"),
    );
    expect(lines.map(([event, { id }]) => [event, id])).toEqual(status === 500 ? [["bug", "req_1"]] : []);
  });

  it("ends the connection where a part of a response has left, so that it does not look whole", async () => {
    const context = createContext({ res: { headersSent: true } });
    await errors(log)(context, () => Promise.reject(new GatewayError("invalid_value", "no")));
    expect([context.res.destroy, context.res.writeHead, context.res.end].map((spy) => spy.mock.calls.length)).toEqual([
      1, 0, 0,
    ]);
  });
});

describe("the access log", () => {
  const write = (context: Context): Promise<void> => accessLog(log, clock)(context, () => Promise.resolve());

  it("has one line for each request, when its response is over", async () => {
    now = 20.46;
    const context = createContext({
      state: { model: "m", errorCode: "x", key: { record: { id: "key_1" } }, arrivedAt: 10 },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    const written = accessLog(log, clock)(context, () => promise);
    expect(lines).toEqual([]);
    resolve();
    await written;
    const line = {
      id: "req_1",
      method: "POST",
      path: "/v1/chat/completions",
      status: 200,
      code: "x",
      key: "key_1",
      model: "m",
      ms: 10.5,
    };
    expect(lines).toEqual([["request", line]]);
  });

  it.each([
    ["own", "GET", "/control/state", 200, 0],
    ["own", "HEAD", "/control/state", 399, 0],
    ["own", "GET", "/control/state", 400, 1],
    ["own", "POST", "/control/state", 200, 1],
    ["v1", "GET", "/v1/models", 200, 1],
    ["v1", "GET", "/metrics", 200, 0],
  ])("of %s %s %s with %i has %i lines", async (area, method, path, statusCode, count) => {
    await write(createContext({ state: { area }, method, path, res: { statusCode } }));
    expect(lines).toHaveLength(count);
  });

  it("has 20 refusals a minute at most, and everything else", async () => {
    const logged = accessLog(log, clock);
    const refuse = (statusCode = 401) => logged(createContext({ res: { statusCode } }), () => Promise.resolve());
    now = 5_000;
    for (let call = 0; call < 30; call += 1) await refuse();
    expect(lines).toHaveLength(20);
    now = 65_000;
    await refuse();
    await refuse(403);
    expect(lines).toHaveLength(21);
    now = 65_001;
    for (let call = 0; call < 30; call += 1) await refuse();
    expect(lines).toHaveLength(41);
  });
});

describe("a request that is turned away", () => {
  it.each([
    ["v1", false, 1, false],
    ["v1", true, 1, true],
    ["own", false, 0, false],
    ["own", true, 0, true],
  ])("while Postern stops: %s, stopping %s", (area, stopping, reserved, refused) => {
    const hold = vi.fn<(response: unknown) => void>();
    const context = createContext({ state: { area }, res: { shouldKeepAlive: true } });
    const check = (): void => refuseWhenStopping(() => stopping, { hold })(context);
    if (refused)
      expect(check).toThrow(expect.objectContaining({ code: "shutting_down", details: { retryAfter: 5 } }) as Error);
    else check();
    expect([hold.mock.calls.length, context.res.shouldKeepAlive]).toEqual([reserved, !refused]);
    if (reserved > 0) expect(hold).toHaveBeenCalledWith(context.res);
  });

  it.each([
    [true, "v1", "GET", true],
    [true, "mcp", "POST", true],
    [true, "mcp", "GET", false],
    [true, "own", "POST", false],
    [false, "v1", "POST", false],
  ])("while Postern is paused: %s, %s %s: %s", (paused, area, method, refused) => {
    const require = vi.fn<() => void>();
    refuseWhenPaused({ paused, require } as never)(createContext({ state: { area }, method }));
    expect(require.mock.calls.length > 0).toBe(refused);
  });

  it("when it comes back from this Postern", () => {
    const check = (instance: string | undefined) => () =>
      refuseLoops("me")(createContext({ req: { headers: { "x-postern-instance": instance } } }));
    expect(check("me")).toThrow("points back at Postern itself");
    for (const other of ["you", undefined]) expect(check(other)).not.toThrow();
  });

  it.each<[string, object, { remoteAddress?: string; localAddress?: string }, boolean]>([
    ["a page for another machine", {}, { remoteAddress: "10.0.0.9", localAddress: "10.0.0.2" }, true],
    ["a page for this machine", {}, { remoteAddress: "127.0.0.1" }, false],
    ["a page for this machine by its own address", {}, { remoteAddress: "10.0.0.2", localAddress: "10.0.0.2" }, false],
    ["a page for nobody", {}, {}, false],
    ["a call", { state: { area: "v1" } }, { remoteAddress: "10.0.0.9" }, false],
    ["a look at the address", { method: "HEAD", path: "/" }, { remoteAddress: "10.0.0.9" }, false],
    ["a look at a page", { method: "HEAD", path: "/usage" }, { remoteAddress: "10.0.0.9" }, true],
    ["the first page", { method: "GET", path: "/" }, { remoteAddress: "10.0.0.9" }, true],
  ])("where it is %s", (_what, change, socket, refused) => {
    const check = (): void =>
      localOnly(createContext({ state: { area: "own" }, path: "/", method: "GET", req: { socket }, ...change }));
    if (refused) expect(check).toThrow("The pages of Postern open on the machine that it runs on.");
    else expect(check).not.toThrow();
  });
});

it.each([
  ["127.0.0.1", undefined, true],
  ["127.8.8.8", undefined, true],
  ["::ffff:127.0.0.1", undefined, true],
  ["::FFFF:10.0.0.2", "10.0.0.2", false],
  ["::1", undefined, true],
  ["10.127.0.1", "10.0.0.2", false],
  ["::2", "::1", false],
  ["10.0.0.2", "10.0.0.2", true],
])("whether %s at %s is this machine: %s", (remote, local, expected) => {
  expect(isThisMachine(remote, local)).toBe(expected);
});

it("names a request before anything else, and forgets what the state held", async () => {
  now = 7;
  const next = vi.fn<() => Promise<void>>(() => Promise.resolve());
  for (const [path, area, family, headers] of [
    ["/v1/models", "v1", "nested", ["x-request-id"]],
    ["/v1/messages", "v1", "anthropic", ["x-request-id", "request-id"]],
    ["/mcp", "mcp", "jsonrpc", ["x-request-id"]],
  ] as const) {
    const context = createContext({ path, state: { key: 1, body: 1, raw: 1, model: 1, errorCode: 1 } });
    await requestId(clock)(context, next);
    const { requestId: id, ...state } = context.state;
    const none = {
      isCrossOrigin: false,
      pathKey: null,
      key: null,
      raw: null,
      model: null,
      errorCode: null,
      body: undefined,
    };
    expect(state).toEqual({ arrivedAt: 7, area, family, ...none });
    expect(context.res.tell.mock.calls).toEqual(headers.map((name) => [name, id]));
    expect(id).toMatch(/^req_/);
  }
  expect(next).toHaveBeenCalledTimes(3);
});

it.each([
  [true, "00-1", [["req_1", "00-1"]]],
  [true, undefined, []],
  [false, "00-1", []],
])("notes the span of its client where spans are sent: %s, %s", (tracing, traceparent, noted) => {
  const noteParent = vi.fn<(id: string, parent: string) => void>();
  noteTraceParent({ tracing, noteParent })(createContext({ req: { headers: { traceparent } } }));
  expect(noteParent.mock.calls).toEqual(noted);
});

describe("guesses of keys", () => {
  const guess = (keys: WrongKeys, remoteAddress: string | undefined, count: number, first = 0): void => {
    for (let key = first; key < first + count; key += 1) keys.note({ remoteAddress }, `sk-${key}`);
  };
  const check = (keys: WrongKeys, remoteAddress: string) => () => keys.check({ remoteAddress });

  it("are refused from the 20th different one on, until a minute has passed since the first", () => {
    const keys = new WrongKeys(clock);
    expect(keys.any).toBe(false);
    guess(keys, "10.0.0.9", 19);
    guess(keys, "10.0.0.9", 1);
    expect(check(keys, "10.0.0.9")).not.toThrow();
    now = 30_500;
    guess(keys, "10.0.0.9", 1, 19);
    expect(keys.any).toBe(true);
    expect(check(keys, "10.0.0.9")).toThrow(expect.objectContaining({ details: { retryAfter: 29.5 } }) as Error);
    expect(check(keys, "10.0.0.9")).toThrow("Try again in 30 s");
    expect(check(keys, "10.0.0.8")).not.toThrow();
    now = 59_999;
    expect(check(keys, "10.0.0.9")).toThrow("Try again in 1 s");
    now = 60_000;
    expect(check(keys, "10.0.0.9")).not.toThrow();
    guess(keys, "10.0.0.9", 1);
    expect(check(keys, "10.0.0.9")).not.toThrow();
  });

  it("are counted for a network of one customer, and not for this machine", () => {
    const keys = new WrongKeys(clock);
    for (const own of [undefined, "127.0.0.1", "::1"]) guess(keys, own, 30);
    expect(keys.any).toBe(false);
    guess(keys, "2001:db8:1:2::1%eth0", 20);
    expect(check(keys, "2001:db8:1:2:ffff::9")).toThrow("Too many different wrong keys");
    expect(check(keys, "2001:db8:1:3::1")).not.toThrow();
    guess(keys, "::ffff:10.0.0.9", 20);
    expect(check(keys, "10.0.0.9")).toThrow("Too many different wrong keys");
  });

  it("are remembered for the 1,000 latest places", () => {
    const keys = new WrongKeys(clock);
    for (let place = 0; place < 1_001; place += 1) guess(keys, `10.0.${place >> 8}.${place & 255}`, 20);
    expect(check(keys, "10.0.0.0")).not.toThrow();
    expect(check(keys, "10.0.0.1")).toThrow("Too many different wrong keys");
  });
});
