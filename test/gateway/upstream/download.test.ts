import type { LookupAddress } from "node:dns";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Downloader, type DownloadLimits } from "../../../gateway/upstream/download.ts";
import { UpstreamFailure } from "../../../gateway/upstream/failure.ts";
import { formatTarget, type Resolve } from "../../../gateway/upstream/targets.ts";
import { until } from "../../support/running-gateway.ts";
import { WireProvider, replyBytes, type WireAct } from "../../support/wire-provider.ts";

const LIMITS: DownloadLimits = { types: ["audio/"], maxBytes: 1_000, totalMs: 5_000, idleMs: 2_000 };
const provider = new WireProvider();
beforeAll(() => provider.listen());
afterEach(() => provider.reset());
afterAll(() => provider.close());

const own = (): string => formatTarget(new URL(provider.origin));
const downloader = (allowed: readonly string[] = [], resolve?: Resolve): Downloader =>
  new Downloader(() => ({ allowed: new Set(allowed), ownPort: 1 }), resolve);

function fetchBytes(url: string, limits: Partial<DownloadLimits> = {}, from = downloader()): Promise<Buffer> {
  return from.open(url, own(), { ...LIMITS, ...limits }).response.then((download) => download.collect());
}

const redirect =
  (location: string, status = 302): WireAct =>
  (_seen, outgoing) =>
    void outgoing.writeHead(status, { location, "set-cookie": "a=1" }).end("moved");

/** Answers that go on until the other side leaves. */
const endless: WireAct = (_seen, outgoing) => {
  outgoing.writeHead(200, { "content-type": "audio/wav" });
  const timer = setInterval(() => outgoing.write("x"), 5);
  outgoing.once("close", () => clearInterval(timer));
};

async function failureOf(promise: Promise<unknown>): Promise<UpstreamFailure> {
  const error: unknown = await promise.then(
    () => new Error("it was fetched"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UpstreamFailure)) throw error;
  return error;
}

describe("a downloader", () => {
  it("ends what is under way when it is closed, and fetches nothing any more", async () => {
    provider.on("GET /a", endless).on("GET /b", () => {});
    const from = downloader();
    const started = await from.open(`${provider.origin}/a`, own(), LIMITS).response;
    const failures = [started.collect(), from.open(`${provider.origin}/b`, own(), LIMITS).response].map(failureOf);
    await until(() => provider.seen.length === 2);
    from.close();
    for (const failure of await Promise.all(failures)) expect(failure.kind).toBe("aborted");
    expect((await failureOf(fetchBytes(`${provider.origin}/a`, {}, from))).kind).toBe("aborted");
    expect(provider.seen).toHaveLength(2);
  });
});

describe("a download", () => {
  it("brings the provider's file, and sends no key and no cookie", async () => {
    provider.on("GET /a.wav", replyBytes("audio/wav; rate=24000", Buffer.from("RIFF")));
    const download = await downloader().open(`${provider.origin}/a.wav?Expires=1`, own(), LIMITS).response;
    expect(download.contentType).toBe("audio/wav");
    expect((await download.collect()).toString()).toBe("RIFF");
    const [seen] = provider.seen;
    expect(seen?.query.get("Expires")).toBe("1");
    expect(Object.keys(seen?.headers ?? {}).toSorted()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
  });

  it.each(["", "application/octet-stream", "audio/x-wav"])("takes a file of the type '%s'", async (type) => {
    provider.on("GET /a", (_seen, outgoing) => {
      outgoing.writeHead(200, type === "" ? {} : { "content-type": type }).end("bytes");
    });
    expect((await fetchBytes(`${provider.origin}/a`)).toString()).toBe("bytes");
  });

  it.each(["text/html", "image/svg+xml", "application/json"])("refuses a file of the type %s", async (type) => {
    provider.on("GET /a", replyBytes(type, "<html>"));
    expect((await failureOf(fetchBytes(`${provider.origin}/a`))).message).toContain(type);
  });

  it("says the status of a storage that refuses", async () => {
    provider.on("GET /a", replyBytes("application/xml", "<Error/>", 403));
    expect((await failureOf(fetchBytes(`${provider.origin}/a`))).message).toContain("status 403");
  });

  it.each([
    ["announced", (body: Buffer): WireAct => replyBytes("audio/wav", body)],
    [
      "not announced",
      (body: Buffer): WireAct =>
        (_seen, outgoing) =>
          void outgoing.writeHead(200, { "content-type": "audio/wav", "transfer-encoding": "chunked" }).end(body),
    ],
  ])("ends at its size limit, %s", async (_how, act) => {
    provider.on("GET /a", act(Buffer.alloc(1_001)));
    expect((await failureOf(fetchBytes(`${provider.origin}/a`))).kind).toBe("too_large");
    provider.on("GET /a", act(Buffer.alloc(1_000)));
    expect(await fetchBytes(`${provider.origin}/a`)).toHaveLength(1_000);
  });

  it("ends at its time limit although bytes keep coming", async () => {
    provider.on("GET /a", endless);
    const failure = await failureOf(fetchBytes(`${provider.origin}/a`, { totalMs: 150 }));
    expect(failure.kind).toBe("gap_timeout");
  });

  it("ends at its time limit before a head has come", async () => {
    provider.on("GET /a", () => {});
    const failure = await failureOf(fetchBytes(`${provider.origin}/a`, { totalMs: 100 }));
    expect(failure.kind).toBe("gap_timeout");
  });

  it("fails when the file breaks off", async () => {
    provider.on("GET /a", (_seen, outgoing) => {
      outgoing.writeHead(200, { "content-type": "audio/wav", "content-length": "900" });
      outgoing.write("begin", () => outgoing.destroy());
    });
    expect((await failureOf(fetchBytes(`${provider.origin}/a`))).kind).toBe("broken");
  });

  it.each(["before", "after"])("can be ended %s its head", async (when) => {
    provider.on("GET /a", when === "before" ? () => {} : endless);
    const attempt = downloader().open(`${provider.origin}/a`, own(), LIMITS);
    if (when === "after") {
      const download = await attempt.response;
      const collected = failureOf(download.collect());
      attempt.abort();
      expect((await collected).kind).toBe("aborted");
    } else {
      const failed = failureOf(attempt.response);
      attempt.abort();
      expect((await failed).kind).toBe("aborted");
    }
  });
});

describe("redirects", () => {
  it("are followed three times, relative ones too, without cookies", async () => {
    provider.on("GET /1", redirect("/2", 301));
    provider.on("GET /2", redirect(`${provider.origin}/3`, 307));
    provider.on("GET /3", redirect("4", 308));
    provider.on("GET /4", replyBytes("audio/wav", "end"));
    expect((await fetchBytes(`${provider.origin}/1`)).toString()).toBe("end");
    expect(provider.seen.map((seen) => seen.headers.cookie)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("are not followed a fourth time", async () => {
    provider.on("GET /1", redirect("/1"));
    expect((await failureOf(fetchBytes(`${provider.origin}/1`))).message).toContain("more than 3 times");
    expect(provider.seen).toHaveLength(4);
  });

  it.each([
    "http://127.0.0.1:1/",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/",
    "http://example.com/a.wav",
    "file:///etc/passwd",
    "data:audio/wav;base64,AAAA",
    "//10.0.0.1/",
  ])("to %s are refused", async (location) => {
    provider.on("GET /1", redirect(location));
    const failure = await failureOf(fetchBytes(`${provider.origin}/1`));
    expect(failure.kind).toBe("refused");
    expect(provider.seen).toHaveLength(1);
  });

  it("to another port of this machine reach nothing", async () => {
    const canary = new WireProvider();
    await canary.listen();
    try {
      provider.on("GET /1", redirect(`${canary.origin}/secret`));
      canary.on("GET /secret", replyBytes("audio/wav", "secret"));
      expect((await failureOf(fetchBytes(`${provider.origin}/1`))).kind).toBe("refused");
      expect(canary.seen).toHaveLength(0);
      // The same one is reached once its owner allows exactly it.
      const allowing = downloader([formatTarget(new URL(canary.origin))]);
      expect((await fetchBytes(`${provider.origin}/1`, {}, allowing)).toString()).toBe("secret");
    } finally {
      await canary.close();
    }
  });
});

describe("names", () => {
  const resolvingTo =
    (...responses: readonly (readonly string[])[]): Resolve =>
    (_hostname, _options, callback) => {
      const addresses = responses[Math.min(requestCount, responses.length - 1)] ?? [];
      requestCount += 1;
      callback(
        null,
        addresses.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    };
  let requestCount = 0;

  it.each([[["127.0.0.1"]], [["10.0.0.1", "192.168.1.1"]], [["::1", "fe80::1"]], [["::ffff:169.254.169.254"]]])(
    "that resolve to %s are refused",
    async (addresses) => {
      const failure = await failureOf(fetchBytes("https://cdn.example/a", {}, downloader([], resolvingTo(addresses))));
      expect(failure.message).toContain("not on the open internet");
    },
  );

  it("are resolved once and connected to what was checked: a second response changes nothing", async () => {
    requestCount = 0;
    const port = new URL(provider.origin).port;
    provider.on("GET /a", replyBytes("audio/wav", "mine"));
    const from = downloader([`nas.example:${port}`], resolvingTo(["127.0.0.1"], ["169.254.169.254"]));
    expect((await fetchBytes(`http://nas.example:${port}/a`, {}, from)).toString()).toBe("mine");
    expect(requestCount).toBe(1);
    // A new download asks again, and refuses what it is reported now.
    expect((await failureOf(fetchBytes(`http://nas.example:${port}/a`, {}, from))).kind).toBe("refused");
    expect(provider.seen).toHaveLength(1);
  });
});
