import { describe, expect, it } from "vitest";
import { isTrustedSender } from "../../../main/policy/ipc-sender.ts";

const ORIGIN = "http://127.0.0.1:6174";
const own = { url: `${ORIGIN}/keys`, isTopFrame: true, isWindow: true };

describe("isTrustedSender", () => {
  it("trusts the top frame of our window on the gateway's origin", () => {
    expect(isTrustedSender(own, ORIGIN)).toBe(true);
  });

  it.each([
    ["a frame that is gone", null],
    ["a frame inside the page", { ...own, isTopFrame: false }],
    ["another window", { ...own, isWindow: false }],
    ["a frame that has loaded nothing", { ...own, url: "" }],
    ["a blank frame", { ...own, url: "about:blank" }],
    ["another port", { ...own, url: "http://127.0.0.1:6175/" }],
    ["another spelling of the host", { ...own, url: "http://localhost:6174/" }],
    ["another site", { ...own, url: "https://example.com/" }],
    ["the gateway's address as a user name", { ...own, url: "http://127.0.0.1:6174@example.com/" }],
    ["a data page", { ...own, url: "data:text/html,x" }],
    ["a file", { ...own, url: "file:///index.html" }],
  ])("does not trust %s", (_name, sender) => {
    expect(isTrustedSender(sender, ORIGIN)).toBe(false);
  });
});
