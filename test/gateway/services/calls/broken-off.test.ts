import type { ServerResponse } from "node:http";
import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { isLocalPeer } from "../../../../gateway/upstream/targets.ts";
import { ChildGateway } from "../../../support/child-gateway.ts";
import { ENDPOINTS, type Endpoint } from "../../../support/paid-endpoints.ts";
import { KEY, startGateway, temporaryFolder, until, type TestGateway } from "../../../support/running-gateway.ts";
import { WireProvider, reply, type WireAct, type WireSeen } from "../../../support/wire-provider.ts";

/** A call that a provider may have executed is in the receipts with what it may have cost, however it breaks off. */

vi.mock("../../../../gateway/upstream/targets.ts", { spy: true });

type Json = Readonly<Record<string, unknown>>;

const OK = (outgoing: ServerResponse, type: string): ServerResponse =>
  outgoing.writeHead(200, { "content-type": type });
const typeFor = (streams: boolean): string => (streams ? "text/event-stream" : "application/json");
const raw =
  (bytes: string): WireAct =>
  (_seen, outgoing) =>
    void outgoing.socket?.end(bytes);

/** Ways to break off before anything of a response was delivered. */
const WAYS: Readonly<Record<string, (streams: boolean) => WireAct>> = {
  "a reset before the head": () => (_seen, outgoing) => void outgoing.socket?.resetAndDestroy(),
  "a close before the head": () => raw(""),
  "half a head": () => raw("HTTP/1.1 200 OK\r\ncontent-type: applic"),
  "no HTTP": () => raw("220 smtp.example.com ESMTP\r\n"),
  "a reset behind the head": (streams) => (_seen, outgoing) => {
    OK(outgoing, typeFor(streams)).flushHeaders();
    setImmediate(() => outgoing.socket?.resetAndDestroy());
  },
  "a close in the body": (streams) => (_seen, outgoing) => {
    OK(outgoing, typeFor(streams)).write(streams ? "data: {" : '{"id":');
    setTimeout(() => outgoing.destroy(), 5);
  },
  "a length that is too long": (streams) => (_seen, outgoing) => {
    outgoing.writeHead(200, { "content-type": typeFor(streams), "content-length": "1000" });
    outgoing.write("{}");
    setTimeout(() => outgoing.destroy(), 5);
  },
  "a body that is not packed as it says": (streams) => (_seen, outgoing) => {
    outgoing.writeHead(200, { "content-type": typeFor(streams), "content-encoding": "gzip" }).end("not gzip");
  },
  "an unknown encoding": (streams) => (_seen, outgoing) => {
    outgoing.writeHead(200, { "content-type": typeFor(streams), "content-encoding": "rot13" }).end("{}");
  },
  "a page": () => (_seen, outgoing) => void OK(outgoing, "text/html").end("<html></html>"),
  nothing: (streams) => (_seen, outgoing) => void OK(outgoing, typeFor(streams)).end(),
  "a document of another kind": () => (_seen, outgoing) => void OK(outgoing, "application/json").end('{"hello":1}'),
};

let provider: WireProvider;
let postern: TestGateway;
beforeAll(async () => {
  provider = new WireProvider();
  await provider.listen();
  for (const path of ["/openai/v1/models", "/anthropic/v1/models"])
    provider.on(`GET ${path}`, reply(200, { data: [] }));
  postern = await startGateway({ env: environment(provider) });
  await postern.ask("PATCH", "/settings", { finish_cancelled_media: false });
});
afterAll(async () => {
  await postern.close();
  await provider.close();
});

function environment({ origin }: WireProvider): Readonly<Record<string, string>> {
  return {
    POSTERN_OPENAI_BASE_URL: `${origin}/openai/v1`,
    POSTERN_OPENAI_API_KEY: "k",
    POSTERN_ANTHROPIC_BASE_URL: `${origin}/anthropic`,
    POSTERN_ANTHROPIC_API_KEY: "k",
  };
}

async function ask(url: string, { path, body }: Endpoint, secret: string, signal?: AbortSignal): Promise<void> {
  const isForm = typeof body === "function";
  const response = await fetch(`${url}/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, ...(isForm ? {} : { "content-type": "application/json" }) },
    body: isForm ? body() : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
  await response.arrayBuffer();
}

interface LimitedKey {
  readonly secret: string;
  readonly key: KeyView;
}

/** A fresh key, and providers that are not left alone for the failures before. */
async function limited(): Promise<LimitedKey> {
  for (const name of ["openai", "anthropic"]) await postern.ask("POST", `/connections/env_${name}/test`);
  return postern.ask("POST", "/keys", { name: "limited", limit_usd: 5 });
}

/** What became of a call: it is in the receipt and counts towards the limit, and nothing stays held. */
async function bookedFor({ key }: LimitedKey): Promise<Json> {
  const receiptOf = async (): Promise<Receipt | undefined> =>
    (await postern.receipts(20)).find((receipt) => receipt.key === key.id);
  await until(async () => (await receiptOf()) !== undefined);
  const receipt = await receiptOf();
  const { data } = await postern.ask<{ data: KeyView[] }>("GET", "/keys");
  const { spent_nano, held_nano, in_flight } = data.find(({ id }) => id === key.id) ?? key;
  const { outcome, estimated, nano } = receipt ?? {};
  return { outcome, estimated, isPaid: (nano ?? 0) > 0, isSpent: nano === spent_nano, held_nano, in_flight };
}

const ESTIMATED = { estimated: true, isPaid: true, isSpent: true, held_nano: 0, in_flight: 0 };
const UNKNOWN = { outcome: "unknown", ...ESTIMATED };
const CANCELLED = { outcome: "cancelled", ...ESTIMATED };
const INTERRUPTED = { outcome: "interrupted", ...ESTIMATED };

const names = Object.keys(ENDPOINTS);
const at = (name: string): Endpoint => ENDPOINTS[name] as Endpoint;
const isMedia = (name: string): boolean => /^(images|edits|speech)/.test(name);
const wantsStream = ({ json }: WireSeen): boolean => {
  const { stream, stream_format } = (json ?? {}) as { stream?: boolean; stream_format?: string };
  return stream === true || stream_format === "sse";
};
const isStream = ({ first }: Endpoint): boolean => first !== undefined;

describe.each(names)("%s", (name) => {
  const endpoint = at(name);

  it.each(Object.keys(WAYS))("that breaks off with %s is unknown, with an estimate", async (way) => {
    const limit = await limited();
    const act = WAYS[way]?.(isStream(endpoint));
    provider.on(endpoint.route, act as WireAct);
    await ask(postern.url, endpoint, limit.secret).catch(() => undefined);
    expect(await bookedFor(limit)).toEqual(UNKNOWN);
  });

  it("whose client leaves before a response is cancelled, with an estimate", async () => {
    const limit = await limited();
    const leaving = new AbortController();
    provider.on(endpoint.route, () => leaving.abort());
    await ask(postern.url, endpoint, limit.secret, leaving.signal).catch(() => undefined);
    expect(await bookedFor(limit)).toEqual(CANCELLED);
  });
});

describe.each(names.filter((name) => isStream(at(name))))("%s, after its first event,", (name) => {
  const endpoint = at(name);
  const begin = (outgoing: ServerResponse): void => {
    OK(outgoing, "text/event-stream").write(endpoint.first);
  };

  it.each<readonly [string, (outgoing: ServerResponse) => void]>([
    ["a reset", (outgoing) => outgoing.socket?.resetAndDestroy()],
    ["a close", (outgoing) => outgoing.destroy()],
    ["half an event", (outgoing) => void outgoing.write("data: {", () => outgoing.destroy())],
  ])("%s leaves it interrupted, with an estimate", async (_, end) => {
    const limit = await limited();
    provider.on(endpoint.route, (_seen, outgoing) => {
      begin(outgoing);
      setTimeout(() => end(outgoing), 20);
    });
    await ask(postern.url, endpoint, limit.secret).catch(() => undefined);
    expect(await bookedFor(limit)).toEqual(INTERRUPTED);
  });
});

describe("a provider that is silent for too long", () => {
  const limits = { first_byte_timeout_s: 1, silence_timeout_s: 1, call_timeout_s: 1 };
  const usual = { first_byte_timeout_s: 120, silence_timeout_s: 300, call_timeout_s: null };
  beforeAll(async () => {
    vi.mocked(isLocalPeer).mockReturnValue(false);
    await postern.ask("PATCH", "/settings", limits);
  });
  afterAll(async () => {
    vi.mocked(isLocalPeer).mockRestore();
    await postern.ask("PATCH", "/settings", usual);
  });

  it.each<[string, WireAct]>([
    ["before its head", () => undefined],
    ["behind its head", (seen, outgoing) => OK(outgoing, typeFor(wantsStream(seen))).flushHeaders()],
  ])("%s leaves calls of every endpoint unknown, with an estimate", async (_name, act) => {
    for (const { route } of Object.values(ENDPOINTS)) provider.on(route, act);
    // All at once: the patience of each is up within a second.
    const booked = names.map(async (name) => {
      const limit = await limited();
      await ask(postern.url, at(name), limit.secret).catch(() => undefined);
      return [name, await bookedFor(limit)];
    });
    expect(await Promise.all(booked)).toEqual(names.map((name) => [name, UNKNOWN]));
  });
});

/** Calls of every endpoint that wait for a provider which never answers; clients of media have disconnected. */
async function underWay(url: string, silent: WireProvider): Promise<Promise<unknown>[]> {
  let arrived = 0;
  for (const { route } of Object.values(ENDPOINTS)) silent.on(route, () => void (arrived += 1));
  const leaving = new AbortController();
  const signalOf = (name: string): AbortSignal | undefined => (isMedia(name) ? leaving.signal : undefined);
  const calls = names.map((name) => ask(url, at(name), KEY, signalOf(name)).catch(() => null));
  await until(() => arrived === names.length);
  leaving.abort();
  await Promise.all(calls.filter((_, index) => isMedia(names[index] ?? "")));
  return calls;
}

/** Calls that are noted in the usage log. */
async function linesIn(dataDir: string): Promise<number> {
  const [name] = await readdir(join(dataDir, "usage")).catch(() => []);
  if (name === undefined) return 0;
  return (await readFile(join(dataDir, "usage", name), "utf8")).split(',"call":{').length - 1;
}

/** Receipts that are not as they should be. */
const wrong = (receipts: readonly Receipt[]): readonly Receipt[] =>
  receipts.filter(({ outcome, estimated, nano }) => outcome !== "unknown" || !estimated || (nano ?? 0) <= 0);

describe("calls of every endpoint that are under way", () => {
  it("when Postern is stopped are unknown, with estimates", async () => {
    const silent = new WireProvider();
    await silent.listen();
    const dataDir = await temporaryFolder();
    const env = environment(silent);
    const first = await startGateway({ env, dataDir, drainMs: 200 });
    const calls = await underWay(first.url, silent);
    await first.stop();
    await Promise.all(calls);
    const second = await startGateway({ env, dataDir });
    const receipts = await second.receipts();
    expect(receipts).toHaveLength(names.length);
    expect(wrong(receipts)).toEqual([]);
    await second.close();
    await silent.close();
  });

  it("when Postern is killed are unknown after the next start, with estimates", async () => {
    const silent = new WireProvider();
    await silent.listen();
    const dataDir = await temporaryFolder();
    const env = { ...environment(silent), POSTERN_SANDBOX: "off" };
    const keys = { POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "unlimited" }]) };
    const child = new ChildGateway(["--port", "0", "--data-dir", dataDir, "--json"], { ...env, ...keys });
    const { url } = await child.ready();
    const calls = await underWay(url, silent);
    await until(async () => (await linesIn(dataDir)) === names.length);
    child.kill("SIGKILL");
    await child.exited;
    await Promise.all(calls);
    const next = await startGateway({ env, dataDir });
    const receipts = await next.receipts();
    expect(receipts).toHaveLength(names.length);
    expect(wrong(receipts)).toEqual([]);
    await next.stop();
    await rm(dataDir, { recursive: true, force: true });
    await silent.close();
  });
});
