import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WrongKeys } from "../../../../gateway/http/middleware/wrong-keys.ts";
import { CHAT, KEY, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { needs } from "../../../support/needs.ts";

/** An address of this machine on a network: from there to loopback a call looks like one of another machine. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === "IPv4" && !entry.internal)?.address;

let clock: TestClock;
let postern: TestGateway;
beforeEach(async () => {
  clock = new TestClock();
  postern = await startGateway({ host: "0.0.0.0", clock });
});
afterEach(() => postern.close());

interface HttpResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

function ask(key: string, path = "/v1/models", from = outside): Promise<HttpResponse> {
  const headers = { authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    const local = from === undefined ? {} : { localAddress: from };
    const sent = request({ host: "127.0.0.1", port: postern.port, path, headers, ...local }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      const { statusCode: status = 0, headers: answered } = response;
      response.on("end", () => resolve({ status, retryAfter: answered["retry-after"], body }));
    });
    sent.on("error", reject).end();
  });
}

async function guess(times: number, from = outside): Promise<number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < times; at += 1) statuses.push((await ask(`sk-guess-number-${at}`, "/v1/models", from)).status);
  return statuses;
}

describe.skipIf(outside === undefined)(
  "another machine that guesses keys",
  needs("an address outside of loopback"),
  () => {
    it("is refused after twenty different ones in a minute, with the right one too, and let in again after it", async () => {
      expect(await guess(22)).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429]);
      clock.advance(20_000);
      const refused = await ask(KEY);
      expect(refused).toMatchObject({ status: 429, retryAfter: "40" });
      expect(JSON.parse(refused.body)).toMatchObject({ error: { code: "rate_limit_exceeded" } });
      expect((await ask(KEY, "/mcp")).status).toBe(429);
      clock.advance(40_000);
      expect((await ask(KEY)).status).toBe(200);
    });

    it("is not refused for sending the same wrong key again and again, nor none", async () => {
      for (let at = 0; at < 100; at += 1) expect((await ask("sk-of-last-week")).status).toBe(401);
      for (let at = 0; at < 30; at += 1) expect((await ask("")).status).toBe(401);
      expect((await ask(KEY)).status).toBe(200);
    });

    it("keeps no program of this machine from anything", async () => {
      await guess(25);
      expect((await postern.chat(CHAT)).status).not.toBe(429);
      expect((await ask(KEY, "/v1/models", "127.0.0.1")).status).toBe(200);
    });
  },
);

it("a program of this machine may send as many wrong keys as it likes", async () => {
  expect(new Set(await guess(60, "127.0.0.1"))).toEqual(new Set([401]));
  expect((await ask(KEY, "/v1/models", "127.0.0.1")).status).toBe(200);
});

describe("places", () => {
  const peer = (remoteAddress: string) => ({ remoteAddress, localAddress: "192.168.1.5" });
  const wrongFrom = (address: (at: number) => string): boolean => {
    const wrong = new WrongKeys(clock);
    for (let at = 0; at < 25; at += 1) wrong.note(peer(address(at)), `sk-${at}`);
    try {
      wrong.check(peer(address(25)));
      return false;
    } catch {
      return true;
    }
  };

  it.each<[string, (at: number) => string, boolean]>([
    ["one IPv4 address", () => "10.0.0.9", true],
    ["an IPv4 address as IPv6 writes it", () => "::ffff:10.0.0.9", true],
    ["many IPv4 addresses", (at) => `10.0.0.${at + 1}`, false],
    ["many addresses of one IPv6 network", (at) => `2001:db8:1:2:${at + 1}::${at + 1}`, true],
    ["many IPv6 networks", (at) => `2001:db8:1:${at + 1}::9`, false],
    ["link-local addresses with the name of an interface", (at) => `fe80::${at + 1}%eth0`, true],
    ["this machine", () => "192.168.1.5", false],
  ])("%s", (_name, address, refused) => {
    expect(wrongFrom(address)).toBe(refused);
  });

  it("are remembered within bounds", () => {
    const wrong = new WrongKeys(clock);
    for (let place = 0; place < 3_000; place += 1)
      for (let at = 0; at < 20; at += 1) wrong.note(peer(`10.${place >> 8}.${place & 255}.1`), `sk-${at}`);
    expect(() => wrong.check(peer("10.0.0.1"))).not.toThrow();
    expect(() => wrong.check(peer(`10.${2_999 >> 8}.${2_999 & 255}.1`))).toThrow("different wrong keys");
  });
});
