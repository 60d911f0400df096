import { describe, expect, it } from "vitest";
import { isLoginHidden, parseProxy, showProxy } from "../../../gateway/contract/proxy.ts";

describe("parseProxy", () => {
  it.each([
    ["http://proxy:8080", "http", "proxy", 8080, null],
    ["proxy:8080", "http", "proxy", 8080, null],
    ["proxy.corp.example", "http", "proxy.corp.example", 80, null],
    ["HTTP://Proxy:443/", "http", "proxy", 443, null],
    ["https://proxy", "https", "proxy", 443, null],
    ["socks5://127.0.0.1", "socks5", "127.0.0.1", 1080, null],
    ["socks5h://me:s%40crt@[::1]:9050", "socks5", "::1", 9050, { user: "me", password: "s@crt" }],
    [" socks://proxy:1 ", "socks5", "proxy", 1, null],
    ["http://token@proxy:3128", "http", "proxy", 3128, { user: "token", password: "" }],
  ] as const)("reads %s", (text, protocol, host, port, login) => {
    expect(parseProxy(text)).toStrictEqual({ protocol, host, port, login });
  });

  it.each([
    ..."| ftp://proxy:21|socks4://proxy:1080|http://proxy:0|http://proxy:99999|http://proxy/path|http://".split("|"),
    ..."system|direct|http://a b:1|http://%zz:1@proxy:1|http://proxy:1?x|http://proxy:1#x|file:///etc/passwd".split(
      "|",
    ),
  ])("refuses %j", (text) => expect(parseProxy(text)).toBeNull());

  it("shows no login, and knows its own writing again", () => {
    const proxy = parseProxy("socks5://me:secret@[fd00::1]:9050");
    const shown = proxy === null ? "" : showProxy(proxy);
    expect(shown).toBe("socks5://***@[fd00::1]:9050");
    expect(isLoginHidden(shown)).toBe(true);
    expect(isLoginHidden("socks5://me:secret@[fd00::1]:9050")).toBe(false);
  });
});
