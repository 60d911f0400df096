import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type AddressInfo, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebhookSender } from "../../../gateway/upstream/webhook-sender.ts";
import { WebhookRefused, webhookTarget } from "../../../gateway/upstream/webhook-target.ts";
import { formatTarget } from "../../../gateway/upstream/targets.ts";
import { privateHosts } from "../../support/private-hosts.ts";

const REACH = { allowed: new Set(["10.0.0.5:8080", "nas.local:9000"]), ownPort: 6174 };
const CANARY_HOSTS = ["127.0.0.1", "::1", ...lanAddresses()];

function lanAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address),
  );
}

const canaries: Server[] = [];
let connected = 0;
/** Sockets that this process began to open, to anywhere. */
let opened = 0;
const onSocket = (): void => void (opened += 1);

beforeAll(async () => {
  for (const host of CANARY_HOSTS) {
    const server = createServer((socket) => {
      connected += 1;
      socket.destroy();
    });
    // A machine without IPv6 has one canary less.
    const listens = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(0, host, () => resolve(true));
    });
    if (listens) canaries.push(server);
  }
  subscribe("net.client.socket", onSocket);
});
afterAll(() => {
  unsubscribe("net.client.socket", onSocket);
  for (const server of canaries) server.close();
});

const ports = (): string[] => ["", ...canaries.map((server) => `:${(server.address() as AddressInfo).port}`)];

describe("a private receiver", () => {
  it("is refused in more than 300 spellings, on any port, with one sentence, before a socket is opened", async () => {
    expect(privateHosts.length).toBeGreaterThan(300);
    const providerClient = new WebhookSender(() => REACH);
    const sentences = new Set<string>();
    let tries = 0;
    for (const host of privateHosts) {
      for (const port of ports()) {
        for (const scheme of ["http://", "https://", "http:/", "http:\\\\", "http://example.com\\@"]) {
          const url = `${scheme}${host}${port}/hook`;
          // What is no URL at all says so; whose host is another's is another matter.
          const parsed = URL.parse(url);
          if (parsed === null || parsed.hostname === "example.com") continue;
          tries += 1;
          const error: unknown = await providerClient
            .post(url, {}, "{}", new AbortController().signal)
            .catch((e: unknown) => e);
          expect(error, url).toBeInstanceOf(WebhookRefused);
          sentences.add((error as Error).message);
        }
      }
    }
    expect(tries).toBeGreaterThan(privateHosts.length * 3);
    expect(sentences.size).toBe(1);
    expect({ opened, connected }).toEqual({ opened: 0, connected: 0 });
  });

  it("is reached by the canaries' own test, so that their silence means something", async () => {
    const [canary] = canaries;
    if (canary === undefined) throw new Error("no canary listens");
    const port = (canary.address() as AddressInfo).port;
    const providerClient = new WebhookSender(() => ({ allowed: new Set([`127.0.0.1:${port}`]), ownPort: 1 }));
    await expect(
      providerClient.post(`http://127.0.0.1:${port}/`, {}, "{}", new AbortController().signal),
    ).rejects.toMatchObject({
      kind: "broken",
    });
    expect(connected).toBe(1);
    expect(opened).toBe(1);
  });
});

describe("a URL for callbacks", () => {
  it.each([
    "https://example.com/hook?token=a%2Fb",
    "http://example.com/hook",
    "https://example.com:443/",
    "http://8.8.8.8/",
    "https://[2606:4700::1]/",
    "http://10.0.0.5:8080/",
    "https://10.0.0.5:8080/",
    "http://nas.local:9000/a",
    "HTTPS://EXAMPLE.COM",
  ])("may be %s", (url) => expect(webhookTarget(url, REACH).url.href).toBe(new URL(url).href));

  it.each([
    ["", "https or http"],
    ["hook", "https or http"],
    ["//example.com/hook", "https or http"],
    ["ftp://example.com/", "https or http"],
    ["file:///etc/passwd", "https or http"],
    ["javascript:alert(1)", "https or http"],
    ["https://", "https or http"],
    ["https://[fe80::1%25eth0]/", "https or http"],
    ["https://user@example.com/", "user name"],
    ["https://:secret@example.com/", "user name"],
    ["https://example.com/#a", "fragment"],
    ["https://example.com/#", "fragment"],
    ["https://example.com:22/", "open internet"],
    ["https://example.com:80/", "open internet"],
    ["http://example.com:443/", "open internet"],
    ["http://example.com:6379/", "open internet"],
    ["http://10.0.0.5:8081/", "open internet"],
    ["http://10.0.0.5/", "open internet"],
    ["http://nas.local:9001/", "open internet"],
  ])("may not be %s", (url, why) => expect(() => webhookTarget(url, REACH)).toThrow(why));

  it("is never link-local, a metadata service or Postern itself, whatever is allowed", () => {
    const forbidden = ["169.254.169.254:80", "100.100.100.200:80", "[fd00:ec2::254]:80", "[fe80::1]:80", "0.0.0.0:80"];
    const own = ["127.0.0.1:6174", ...lanAddresses().map((address) => `${address}:6174`)];
    const reach = { allowed: new Set([...forbidden, ...own, "me.example:6174"]), ownPort: 6174 };
    for (const target of [...forbidden, ...own, "localhost:6174", "[::1]:6174", "a.localhost:6174"]) {
      expect(() => webhookTarget(`http://${target}/`, reach), target).toThrow("open internet");
    }
    const { accepts } = webhookTarget("http://me.example:6174/", reach);
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.8.8.8", ...lanAddresses(), "169.254.169.254"]) {
      expect(accepts(address), address).toBe(false);
    }
    expect(accepts("10.9.9.9")).toBe(true);
  });

  it("of this machine is allowed by any of its names at the allowed port alone", () => {
    const reach = { allowed: new Set(["127.0.0.1:3000"]), ownPort: 6174 };
    for (const host of ["127.0.0.1", "localhost", "[::1]", "LOCALHOST", "2130706433"]) {
      const url = `http://${host}:3000/`;
      expect(formatTarget(webhookTarget(url, reach).url)).toBe("127.0.0.1:3000");
    }
    for (const url of [
      "http://127.0.0.1:3001/",
      "http://127.0.0.1/",
      "http://127.0.0.2:3000/",
      "http://10.0.0.1:3000/",
    ]) {
      expect(() => webhookTarget(url, reach), url).toThrow("open internet");
    }
  });
});
