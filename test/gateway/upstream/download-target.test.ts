import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getDownloadTarget } from "../../../gateway/upstream/download-target.ts";
import { isPublicAddress, parseTarget, formatTarget } from "../../../gateway/upstream/targets.ts";
import { PRIVATE_V4, PRIVATE_V6, privateHosts } from "../../support/private-hosts.ts";

const NONE = { allowed: new Set<string>(), ownPort: 6174 };
const ALLOWED = { allowed: new Set(["127.0.0.1:3000", "10.0.0.5:8080", "nas.local:9000"]), ownPort: 6174 };

const href = (url: string, reach = NONE, redirected = false): string =>
  getDownloadTarget(url, reach, redirected).url.href;

describe("addresses that are not on the open internet", () => {
  it.each([...PRIVATE_V4, ...PRIVATE_V6, "not an address", ""])("%s", (address) =>
    expect(isPublicAddress(address)).toBe(false),
  );

  it.each(["8.8.8.8", "1.1.1.1", "100.63.255.255", "172.32.0.1", "::ffff:8.8.8.8", "2606:4700::1", "2a00:1450::1"])(
    "but %s is",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it("holds for every address of the private blocks, written as IPv4 and as IPv4-mapped", () => {
    const byte = fc.nat(255);
    const blocks = fc.oneof(
      fc.tuple(fc.constant(10), byte, byte, byte),
      fc.tuple(fc.constant(127), byte, byte, byte),
      fc.tuple(fc.constant(0), byte, byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(198), fc.integer({ min: 18, max: 19 }), byte, byte),
      fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
    );
    fc.assert(
      fc.property(blocks, (parts) => {
        const address = parts.join(".");
        expect(isPublicAddress(address)).toBe(false);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
        expect(() => getDownloadTarget(`https://${address}/a.wav`, NONE, false)).toThrow("not on the open internet");
        // The same address as one number, as inet_aton reads it.
        const number = parts.reduce((sum, part) => sum * 256 + part, 0);
        expect(() => getDownloadTarget(`https://${number}/a.wav`, NONE, false)).toThrow("not on the open internet");
      }),
    );
  });
});

describe("spellings of a private host", () => {
  it("are refused with one sentence, at first and behind a redirect", () => {
    const texts = new Set<string>();
    let tries = 0;
    for (const host of privateHosts) {
      for (const url of [`https://${host}/`, `https:/${host}/a`, `https:\\\\${host}\\a`, ` https://${host}/`]) {
        for (const redirected of [false, true]) {
          // Names are looked at when they are resolved; what is no host at all says so.
          const hostname = URL.parse(url)?.hostname;
          if (hostname === undefined || /[g-z]/.test(hostname)) continue;
          tries += 1;
          try {
            texts.add(getDownloadTarget(url, NONE, redirected).url.href);
          } catch (error) {
            texts.add((error as Error).message);
          }
        }
      }
    }
    expect(tries).toBeGreaterThan(privateHosts.length * 7);
    expect([...texts]).toEqual([expect.stringContaining("not on the open internet")]);
  });
});

describe("URLs that are never fetched", () => {
  it.each([
    ["", "not a URL"],
    ["result.wav", "not a URL"],
    ["https://[fe80::1%25eth0]/", "not a URL"],
    [`https://example.com/${"a".repeat(20_000)}`, "not a URL"],
    ["file:///etc/passwd", "not an https URL"],
    ["data:audio/wav;base64,AAAA", "not an https URL"],
    ["gopher://example.com/", "not an https URL"],
    ["ftp://example.com/a.wav", "not an https URL"],
    ["https://user@example.com/", "user name"],
    ["https://user:pass@example.com/", "user name"],
    ["https://example.com:22/", "port"],
    ["https://example.com:6379/", "port"],
    ["https://example.com:8443/", "port"],
    ["http://example.com:8080/", "not an https URL"],
    ["http://10.0.0.5:8081/", "not an https URL"],
  ])("%s", (url, why) => expect(() => getDownloadTarget(url, NONE, false)).toThrow(why));

  it("says the same of everything that is not public, whatever is there", () => {
    const texts = ["https://127.0.0.1/", "https://10.1.2.3/", "https://169.254.169.254/"].map((url) => {
      try {
        return href(url);
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(new Set(texts).size).toBe(1);
  });
});

describe("plain http", () => {
  it("of a provider's storage becomes https", () => {
    expect(href("http://dashscope-result-bj.oss-cn-beijing.aliyuncs.com/a.wav?Expires=1&Signature=x%2F")).toBe(
      "https://dashscope-result-bj.oss-cn-beijing.aliyuncs.com/a.wav?Expires=1&Signature=x%2F",
    );
  });
  it("behind a redirect is refused", () => {
    expect(() => getDownloadTarget("http://example.com/a.wav", NONE, true)).toThrow("not an https URL");
  });
  it("stays http at an exact allowed pair, redirected or not", () => {
    expect(href("http://127.0.0.1:3000/a.wav", ALLOWED)).toBe("http://127.0.0.1:3000/a.wav");
    expect(href("http://127.0.0.1:3000/a.wav", ALLOWED, true)).toBe("http://127.0.0.1:3000/a.wav");
    expect(href("http://nas.local:9000/a.wav", ALLOWED)).toBe("http://nas.local:9000/a.wav");
  });
  it("finds an allowed pair by any name of this machine, and no other port of it", () => {
    expect(href("http://localhost:3000/a", ALLOWED)).toBe("http://localhost:3000/a");
    expect(href("http://[::1]:3000/a", ALLOWED)).toBe("http://[::1]:3000/a");
    expect(() => getDownloadTarget("http://127.0.0.1:3001/a", ALLOWED, false)).toThrow("not an https URL");
    expect(() => getDownloadTarget("https://127.0.0.1/a", ALLOWED, false)).toThrow("not on the open internet");
  });
});

it("lets an allowed pair be private, but never link-local, metadata or Postern itself", () => {
  const { accepts } = getDownloadTarget("http://nas.local:9000/a", ALLOWED, false);
  expect(accepts("192.168.1.9")).toBe(true);
  for (const address of ["169.254.169.254", "100.100.100.200", "fd00:ec2::254", "fe80::1", "0.0.0.0"])
    expect(accepts(address)).toBe(false);
  const own = { allowed: new Set(["127.0.0.1:6174", "me.local:6174"]), ownPort: 6174 };
  expect(() => getDownloadTarget("http://127.0.0.1:6174/v1/models", own, false)).toThrow("not on the open internet");
  expect(getDownloadTarget("http://me.local:6174/", own, false).accepts("127.0.0.1")).toBe(false);
});

describe("pairs of host and port", () => {
  it.each([
    ["127.0.0.1:3000", "127.0.0.1:3000"],
    ["LOCALHOST:3000", "127.0.0.1:3000"],
    ["[::1]:80", "127.0.0.1:80"],
    ["Nas.Local:9000", "nas.local:9000"],
    ["nas.local.:9000", "nas.local:9000"],
    ["[fd00::5]:443", "[fd00::5]:443"],
    ["127.0.0.1", null],
    ["http://127.0.0.1:3000", null],
    ["127.0.0.1:3000/path", null],
    ["user@127.0.0.1:3000", null],
    ["127.0.0.1:99999", null],
    [":3000", null],
  ])("%s is %s", (entry, target) => expect(parseTarget(entry)).toBe(target));

  it("write out the scheme's own port", () => {
    expect(formatTarget(new URL("https://dashscope.aliyuncs.com"))).toBe("dashscope.aliyuncs.com:443");
    expect(formatTarget(new URL("http://example.com"))).toBe("example.com:80");
  });
});
