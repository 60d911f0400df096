import { beforeEach, describe, expect, it, vi } from "vitest";
import { guardSession, useNoProxy } from "../../../main/shell/guard-session.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const ORIGIN = "http://127.0.0.1:6174";
const fake = () => electron.session.defaultSession;

const saved: unknown[] = [];

beforeEach(() => {
  electron.resetElectron();
  saved.length = 0;
  guardSession(ORIGIN, false, (item) => saved.push(item));
});

describe("guardSession", () => {
  it.each([
    ["clipboard-sanitized-write", `${ORIGIN}/keys`, true, true],
    ["clipboard-sanitized-write", "https://example.com/", true, false],
    ["clipboard-sanitized-write", `${ORIGIN}/keys`, false, false],
    ["media", `${ORIGIN}/`, true, false],
    ["openExternal", `${ORIGIN}/`, true, false],
  ])(
    "answers a request for %s of %s in the main frame %s with %s",
    (permission, requestingUrl, isMainFrame, expected) => {
      const response = vi.fn<(granted: boolean) => void>();
      fake().permissionRequest(null, permission, response, { requestingUrl, isMainFrame });
      expect(response.mock.calls).toStrictEqual([[expected]]);
    },
  );

  it.each([
    ["clipboard-sanitized-write", ORIGIN, true, true],
    ["clipboard-sanitized-write", "", true, false],
    ["clipboard-sanitized-write", ORIGIN, false, false],
    ["clipboard-read", ORIGIN, true, false],
    ["usb", ORIGIN, true, false],
  ])("checks %s of %j in the main frame %s: %s", (permission, asker, isMainFrame, expected) => {
    expect(fake().permissionCheck(null, permission, asker, { isMainFrame })).toBe(expected);
  });

  it("lets its own page hear, and not see", () => {
    const requestOf = (mediaTypes: string[]): unknown => {
      const response = vi.fn<(granted: boolean) => void>();
      fake().permissionRequest(null, "media", response, { requestingUrl: `${ORIGIN}/`, isMainFrame: true, mediaTypes });
      return response.mock.calls[0]?.[0];
    };
    expect([requestOf(["audio"]), requestOf(["video"]), requestOf(["audio", "video"])]).toEqual([true, false, false]);
    const checked = (mediaType: string): unknown =>
      fake().permissionCheck(null, "media", ORIGIN, { isMainFrame: true, mediaType });
    expect([checked("audio"), checked("video"), checked("unknown")]).toEqual([true, false, false]);
  });

  it("refuses every device and every capture of the screen", () => {
    expect(fake().devicePermission({ deviceType: "hid", origin: ORIGIN })).toBe(false);
    const response = vi.fn<(streams: unknown) => void>();
    fake().displayMedia({}, response);
    expect(response.mock.calls).toStrictEqual([[null]]);
  });

  it.each([
    [`${ORIGIN}/control/state`, false],
    ["https://example.com/pixel.gif", true],
    ["devtools://devtools/x.js", true],
    ["file:///etc/passwd", true],
  ])("a request to %s is cancelled: %s", (url, cancel) => {
    const response = vi.fn<(decision: unknown) => void>();
    fake().beforeRequest({ url }, response);
    expect(response.mock.calls).toStrictEqual([[{ cancel }]]);
  });

  it.each([
    [[`blob:${ORIGIN}/0a1b`], false],
    [["https://example.com/setup.exe"], true],
  ])("a download of %j is prevented: %s", (chain, prevented) => {
    const event = new electron.FakeEvent();
    const item = { getURLChain: () => chain };
    fake().emit("will-download", event, item);
    expect([event.defaultPrevented, saved]).toStrictEqual([prevented, prevented ? [] : [item]]);
  });

  it("asks no proxy and fetches no dictionary", async () => {
    await useNoProxy();
    expect(fake().proxy).toStrictEqual({ mode: "direct" });
    expect(fake().spellChecker).toBe(false);
  });
});
