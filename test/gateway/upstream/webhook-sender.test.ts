import type { LookupAddress } from "node:dns";
import { createServer, type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { formatTarget, type Resolve } from "../../../gateway/upstream/targets.ts";
import { UpstreamFailure } from "../../../gateway/upstream/failure.ts";
import { WebhookSender } from "../../../gateway/upstream/webhook-sender.ts";
import type { WebhookResponse, WebhookSenderOptions } from "../../../gateway/upstream/webhook-sender.ts";
import { WebhookRefused } from "../../../gateway/upstream/webhook-target.ts";
import { WireProvider, type WireAct } from "../../support/wire-provider.ts";

const receiver = new WireProvider();
beforeAll(() => receiver.listen());
afterEach(() => receiver.reset());
afterAll(() => receiver.close());

const never = new AbortController().signal;
const port = (): string => new URL(receiver.origin).port;

function doorTo(options: WebhookSenderOptions = {}, ...allowed: readonly string[]): WebhookSender {
  const targets = new Set([formatTarget(new URL(receiver.origin)), ...allowed]);
  return new WebhookSender(() => ({ allowed: targets, ownPort: 1 }), options);
}

const post = (providerClient = doorTo(), url = `${receiver.origin}/hook`): Promise<WebhookResponse> =>
  providerClient.post(url, { "webhook-id": "msg_1" }, '{"é":1}', never);

const failureOf = (promise: Promise<unknown>): Promise<UpstreamFailure> =>
  promise.then(
    () => {
      throw new Error("it was answered");
    },
    (error: unknown) => {
      if (error instanceof UpstreamFailure) return error;
      throw error;
    },
  );

const response =
  (status: number, headers: Readonly<Record<string, string | string[]>> = {}, body = ""): WireAct =>
  (_seen, outgoing) =>
    void outgoing.writeHead(status, headers).end(body);

describe("a callback", () => {
  it("arrives with its exact bytes, and nothing of ours but its headers", async () => {
    receiver.on("POST /hook", response(204));
    expect(await post(doorTo(), `${receiver.origin}/hook?token=a%2Fb`)).toEqual({ status: 204, retryAfter: null });
    const [seen] = receiver.seen;
    expect(seen?.body.toString()).toBe('{"é":1}');
    expect(seen?.query.get("token")).toBe("a/b");
    expect(seen?.headers["user-agent"]).toBe("Postern");
    expect(seen?.headers["content-type"]).toBe("application/json");
    expect(Object.keys(seen?.headers ?? {}).toSorted()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
      "webhook-id",
    ]);
  });

  it.each([200, 204, 302, 400, 410, 429, 502])(
    "has the status %i as its outcome, and one request is all",
    async (status) => {
      receiver.on("POST /hook", response(status, { location: "/other", "retry-after": "7" }));
      receiver.on("POST /other", response(200)).on("GET /other", response(200));
      expect(await post()).toEqual({ status, retryAfter: "7" });
      expect(receiver.seen).toHaveLength(1);
    },
  );

  it("leaves no connection behind", async () => {
    let closed = false;
    receiver.on("POST /hook", (_seen, outgoing) => {
      outgoing.socket?.once("close", () => (closed = true));
      outgoing.writeHead(204).end();
    });
    await post();
    // Kept for another request it would stay for four seconds.
    await expect.poll(() => closed, { timeout: 2_000 }).toBe(true);
  });

  it("takes the first Retry-After of several", async () => {
    receiver.on("POST /hook", response(503, { "retry-after": ["7", "8"] }));
    expect((await post()).retryAfter).toBe("7");
  });

  it("is cut off when no response comes in time", async () => {
    receiver.on("POST /hook", () => {});
    expect((await failureOf(post(doorTo({ totalMs: 100 })))).kind).toBe("head_timeout");
  });

  it("waits for its response 15 seconds and no longer", async () => {
    const arrived = Promise.withResolvers<void>();
    receiver.on("POST /hook", () => arrived.resolve());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let over = false;
    const failed = failureOf(post()).finally(() => (over = true));
    await arrived.promise;
    vi.advanceTimersByTime(14_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(over).toBe(false);
    vi.advanceTimersByTime(1);
    expect((await failed).kind).toBe("head_timeout");
  });

  it("is cut off when the head of a response never ends", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("a: b\r\n"), 10);
      socket.once("close", () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const target = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const failure = await failureOf(post(doorTo({ totalMs: 150 }, target), `http://${target}/`));
    expect(failure.kind).toBe("head_timeout");
  });

  it("is broken when the connection is reset", async () => {
    receiver.on("POST /hook", (_seen, outgoing) => void outgoing.socket?.resetAndDestroy());
    expect((await failureOf(post())).kind).toBe("broken");
  });

  it("ends at once when Postern stops", async () => {
    const stop = new AbortController();
    receiver.on("POST /hook", () => stop.abort());
    const failure = await failureOf(doorTo().post(`${receiver.origin}/hook`, {}, "{}", stop.signal));
    expect(failure.kind).toBe("aborted");
    const before = await failureOf(doorTo().post(`${receiver.origin}/hook`, {}, "{}", stop.signal));
    expect(before.kind).toBe("aborted");
  });
});

describe("the body of a response", () => {
  /** Writes until the other side leaves; says how much it could write. */
  const endless = (written: PromiseWithResolvers<number>, headers: Readonly<Record<string, string>> = {}): WireAct => {
    const chunk = Buffer.alloc(65_536);
    return (_seen, outgoing) => {
      let size = 0;
      outgoing.writeHead(200, headers);
      const more = (): void => {
        while (!outgoing.destroyed) {
          size += chunk.length;
          if (!outgoing.write(chunk)) return;
        }
      };
      outgoing.on("drain", more).once("close", () => written.resolve(size));
      more();
    };
  };

  it("of ten gigabytes is left after 64 KiB, and the status counts", async () => {
    const written = Promise.withResolvers<number>();
    receiver.on("POST /hook", endless(written, { "content-length": String(10 * 1024 ** 3) }));
    expect((await post()).status).toBe(200);
    // What the kernel's buffers on both sides hold, and no more.
    expect(await written.promise).toBeLessThan(32 * 1024 ** 2);
  });

  it("that never ends keeps no one waiting for its time limit", async () => {
    receiver.on("POST /hook", (_seen, outgoing) => void outgoing.writeHead(200).write("x"));
    expect((await post(doorTo({ totalMs: 600_000 }))).status).toBe(200);
  });

  it("that breaks off, or does not unpack, changes nothing", async () => {
    receiver.on("POST /hook", (_seen, outgoing) => {
      outgoing.writeHead(200, { "content-length": "900" });
      outgoing.write("begin", () => outgoing.destroy());
    });
    expect((await post()).status).toBe(200);
    receiver.on("POST /hook", response(200, { "content-encoding": "gzip" }, "no gzip"));
    expect((await post()).status).toBe(200);
    receiver.on("POST /hook", (_seen, outgoing) => {
      outgoing.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(64 * 1024 ** 2)));
    });
    expect((await post()).status).toBe(200);
  });
});

describe("names", () => {
  const resolvingTo =
    (...responses: readonly (readonly string[])[]): Resolve =>
    (_hostname, _options, callback) => {
      const addresses = responses[requestCount % responses.length] ?? [];
      requestCount += 1;
      callback(
        null,
        addresses.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    };
  let requestCount = 0;

  it.each([
    [["127.0.0.1"]],
    [["10.0.0.1", "192.168.1.1"]],
    [["::1", "fe80::1"]],
    [["::ffff:169.254.169.254"]],
    [["100.100.100.200"]],
  ])("that resolve to %s are refused in the words for everything refused", async (addresses) => {
    const failure = await failureOf(post(doorTo({ resolve: resolvingTo(addresses) }), "https://hooks.example/"));
    expect(failure).toBeInstanceOf(WebhookRefused);
    const literal = await failureOf(post(doorTo(), "https://10.0.0.1/"));
    expect(failure.message).toBe(literal.message);
  });

  it("are refused at each of 1,000 deliveries whose answer was another a moment ago", async () => {
    requestCount = 0;
    const target = `rebound.example:${port()}`;
    // The owner allowed the name; then it pointed at what no one can allow.
    const providerClient = doorTo(
      { resolve: resolvingTo(["169.254.169.254"], ["fd00:ec2::254", "::"], ["100.100.100.200"]) },
      target,
    );
    for (let round = 0; round < 1_000; round += 1) {
      expect(await failureOf(post(providerClient, `http://${target}/hook`))).toBeInstanceOf(WebhookRefused);
    }
    expect(requestCount).toBe(1_000);
    expect(receiver.seen).toHaveLength(0);
  });

  it("are connected to where they were checked, and asked again for each delivery", async () => {
    requestCount = 0;
    receiver.on("POST /hook", response(200));
    const target = `nas.example:${port()}`;
    const providerClient = doorTo({ resolve: resolvingTo(["127.0.0.1"], ["169.254.169.254", "0.0.0.0"]) }, target);
    expect((await post(providerClient, `http://${target}/hook`)).status).toBe(200);
    expect(requestCount).toBe(1);
    expect(await failureOf(post(providerClient, `http://${target}/hook`))).toBeInstanceOf(WebhookRefused);
    expect(receiver.seen).toHaveLength(1);
  });

  it("that the owner did not allow do not reach this machine by a name that resolves to it", async () => {
    receiver.on("POST /hook", response(200));
    const providerClient = doorTo({ resolve: resolvingTo(["127.0.0.1"]) });
    for (const url of [`http://sneaky.example:${port()}/hook`, "http://sneaky.example/hook"]) {
      expect(await failureOf(post(providerClient, url))).toBeInstanceOf(WebhookRefused);
    }
    expect(receiver.seen).toHaveLength(0);
  });
});
