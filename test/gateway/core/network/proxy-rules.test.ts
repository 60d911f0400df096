import { describe, expect, it } from "vitest";
import { showProxy } from "../../../../gateway/contract/proxy.ts";
import {
  describeProxyProblems,
  findEnvironmentProxy,
  isExcludedByEnvironment,
  parseSystemProxy,
} from "../../../../gateway/core/network/proxy-rules.ts";

const shown = (proxy: Parameters<typeof showProxy>[0] | null): string | null =>
  proxy === null ? null : showProxy(proxy);

describe("findEnvironmentProxy", () => {
  it.each([
    [{ HTTPS_PROXY: "http://a:1" }, "https://api.example.com", "http://a:1"],
    [{ https_proxy: "http://b:1", HTTPS_PROXY: "http://a:1" }, "https://api.example.com", "http://b:1"],
    [{ https_proxy: " ", HTTPS_PROXY: "a:1" }, "https://api.example.com", "http://a:1"],
    [{ HTTP_PROXY: "http://a:1" }, "https://api.example.com", null],
    [{ HTTP_PROXY: "http://a:1" }, "http://api.example.com", "http://a:1"],
    [{ ALL_PROXY: "socks5h://a:1" }, "https://api.example.com", "socks5://a:1"],
    [{ ALL_PROXY: "socks5h://a:1", HTTPS_PROXY: "http://b:2" }, "https://api.example.com", "http://b:2"],
    [{ HTTPS_PROXY: "gopher://a:1" }, "https://api.example.com", null],
    [{}, "https://api.example.com", null],
  ])("of %j for %s is %s", (env, url, proxy) => {
    expect(shown(findEnvironmentProxy(env, new URL(url)))).toBe(proxy);
  });

  it("leaves out what is no address, and says so without the value", () => {
    const problems = describeProxyProblems({ HTTPS_PROXY: "ftp://u:secret@a", all_proxy: "socks5://b:1" });
    expect(problems).toStrictEqual([
      "HTTPS_PROXY was ignored: it must be an address such as http://proxy:8080 or socks5://proxy:1080.",
    ]);
  });
});

describe("isExcludedByEnvironment", () => {
  it.each([
    ["*", "https://api.example.com", true],
    ["example.com", "https://api.example.com", true],
    [".example.com", "https://example.com", true],
    ["*.example.com", "https://api.example.com", true],
    ["EXAMPLE.com.", "https://api.example.com.", true],
    ["ample.com", "https://api.example.com", false],
    ["example.com:8443", "https://api.example.com", false],
    ["example.com:443", "https://api.example.com", true],
    ["a.test, 10.0.0.0/8", "http://10.1.2.3:11434", true],
    ["10.0.0.0/8", "http://11.1.2.3", false],
    ["192.168.1.5", "http://192.168.1.5", true],
    ["192.168.1.5:80", "http://192.168.1.5:8080", false],
    ["fd00::/8", "http://[fd00::5]:1", true],
    ["[fd00::5]:1", "http://[fd00::5]:1", true],
    ["fd00::5", "http://[fd00::5]:1", true],
    ["1", "https://10.0.0.1", false],
    ["", "https://api.example.com", false],
    [". , ,", "https://api.example.com", false],
  ])("NO_PROXY=%s for %s is %s", (NO_PROXY, url, excluded) => {
    expect(isExcludedByEnvironment({ NO_PROXY }, new URL(url))).toBe(excluded);
  });
});

describe("parseSystemProxy", () => {
  it.each([
    ["DIRECT", null],
    ["PROXY proxy:8080; DIRECT", "http://proxy:8080"],
    ["HTTPS proxy:443", "https://proxy:443"],
    ["SOCKS old:1080; SOCKS5 new:1080", "socks5://new:1080"],
    ["SOCKS old:1080; DIRECT; PROXY late:1", null],
    ["", null],
    ["PROXY", null],
  ])("of %j is %s", (rules, proxy) => {
    expect(shown(parseSystemProxy(rules))).toBe(proxy);
  });
});
