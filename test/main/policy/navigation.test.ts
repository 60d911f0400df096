import { describe, expect, it } from "vitest";
import { externalAddress, mayDownload, mayLoad, mayNavigate } from "../../../main/policy/navigation.ts";

const ORIGIN = "http://127.0.0.1:6174";

/** Addresses that look like the gateway's, or that have done harm elsewhere. None of them may be shown in the window. */
const FOREIGN = [
  "https://example.com/",
  "http://127.0.0.1:6175/",
  "http://127.0.0.1/",
  "https://127.0.0.1:6174/",
  "http://localhost:6174/",
  "http://[::1]:6174/",
  "http://127.0.0.1:6174@evil.example/",
  "http://evil.example/#http://127.0.0.1:6174/",
  "http://evil.example/?http://127.0.0.1:6174",
  "http://127.0.0.1:6174.evil.example/",
  "http://127.0.0.1.evil.example:6174/",
  "//127.0.0.1:6174/",
  "file:///etc/passwd",
  "file://127.0.0.1:6174/etc/passwd",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "blob:null/0a1b",
  "blob:https://example.com/0a1b",
  "about:blank",
  "about:srcdoc",
  "view-source:http://127.0.0.1:6174/",
  "chrome://settings",
  "devtools://devtools/bundled/inspector.html",
  "ws://127.0.0.1:6174/",
  "ftp://127.0.0.1:6174/",
  "app://127.0.0.1:6174/",
  "http:/",
  "not an address",
  "",
];

describe("mayNavigate", () => {
  it.each([
    `${ORIGIN}/`,
    `${ORIGIN}/keys`,
    `${ORIGIN}/#token=abc`,
    `${ORIGIN}/?a=b`,
    "HTTP://127.0.0.1:6174/",
    "http://127.0.0.1:6174\\keys",
  ])("allows %s", (address) => {
    expect(mayNavigate(address, ORIGIN)).toBe(true);
  });

  it.each([...FOREIGN, `blob:${ORIGIN}/0a1b`])("denies %s", (address) => {
    expect(mayNavigate(address, ORIGIN)).toBe(false);
  });

  it.each(["", "about:blank", "file:///", "not an address"])("allows nothing when the origin is %j", (origin) => {
    for (const address of ["about:blank", "file:///", "", `${ORIGIN}/`])
      expect(mayNavigate(address, origin)).toBe(false);
  });
});

describe("mayLoad", () => {
  it.each([`${ORIGIN}/assets/index.js`, `blob:${ORIGIN}/0a1b`, "data:image/png;base64,AA"])("allows %s", (address) => {
    expect(mayLoad(address, ORIGIN, false)).toBe(true);
  });

  it.each(FOREIGN.filter((address) => !address.startsWith("data:")))("denies %s", (address) => {
    expect(mayLoad(address, ORIGIN, false)).toBe(false);
  });

  it("lets developer tools load themselves where there are any", () => {
    expect(mayLoad("devtools://devtools/bundled/inspector.html", ORIGIN, true)).toBe(true);
  });
});

describe("mayDownload", () => {
  it.each([
    ["a file of the gateway", [`${ORIGIN}/media/m1`], true],
    ["what a page made", [`blob:${ORIGIN}/0a1b`], true],
    ["a redirect within the gateway", [`${ORIGIN}/a`, `${ORIGIN}/b`], true],
    ["a redirect out of the gateway", [`${ORIGIN}/a`, "https://evil.example/b"], false],
    ["a redirect into the gateway", ["https://evil.example/b", `${ORIGIN}/a`], false],
    ["a file from elsewhere", ["https://evil.example/setup.exe"], false],
    ["a data address", ["data:application/octet-stream,x"], false],
    ["nothing", [], false],
  ])("%s: %j is %s", (_name, chain, expected) => {
    expect(mayDownload(chain, ORIGIN)).toBe(expected);
  });
});

describe("externalAddress", () => {
  it.each([
    ["https://platform.openai.com/api-keys", "https://platform.openai.com/api-keys"],
    ["http://example.com", "http://example.com/"],
    ["HTTPS://EXAMPLE.COM/a b", "https://example.com/a%20b"],
    ["https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"],
    ["http://127.0.0.1:11434/", "http://127.0.0.1:11434/"],
    [`${ORIGIN}/guide/budgets.html#more`, `${ORIGIN}/guide/budgets.html#more`],
  ])("opens %s as %s", (address, expected) => {
    expect(externalAddress(address, ORIGIN)).toBe(expected);
  });

  it.each([
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "blob:https://example.com/0a1b",
    "file:///C:/Windows/System32/calc.exe",
    "file://server/share/x.lnk",
    "\\\\server\\share\\x.exe",
    "smb://server/share",
    "ms-msdt:/id PCWDiagnostic",
    "search-ms:query=x",
    "ms-officecmd:x",
    "vscode://file/x",
    "ssh://-oProxyCommand=calc/",
    "telnet://example.com",
    "mailto:someone@example.com?attach=/etc/passwd",
    "tel:112",
    "ftp://example.com/",
    "ws://example.com/",
    "about:blank",
    "chrome://version",
    "x-apple.systempreferences:",
    "intent://scan/#Intent;scheme=zxing;end",
    "jar:https://example.com!/x",
    "vbscript:msgbox(1)",
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://www.bank.example@evil.example/",
    "//example.com/",
    "example.com",
    "https://",
    "",
    `${ORIGIN}/control/keys`,
    `${ORIGIN}/guide/../control/keys`,
    `${ORIGIN}/guide/`,
    `https://example.com/${"a".repeat(2000)}`,
  ])("does not open %j", (address) => {
    expect(externalAddress(address, ORIGIN)).toBeNull();
  });
});
