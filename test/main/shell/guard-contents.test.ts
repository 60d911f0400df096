import { beforeEach, describe, expect, it, vi } from "vitest";
import { GESTURE_MS } from "../../../main/policy/gesture.ts";
import { guardAllContents } from "../../../main/shell/guard-contents.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const ORIGIN = "http://127.0.0.1:6174";
const OUTSIDE = "https://platform.openai.com/api-keys";
let contents: electron.FakeContents;
let now = 0;

const press = (type = "mouseDown") => contents.emit("input-event", new electron.FakeEvent(), { type });
const open = (url: string) => contents.windowOpenHandler?.({ url });
function navigate(name: string, url: string, isMainFrame = true): boolean {
  const details = Object.assign(new electron.FakeEvent(), { url, isMainFrame });
  contents.emit(name, details);
  return details.defaultPrevented;
}

beforeEach(() => {
  electron.resetElectron();
  now = 1_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  guardAllContents(ORIGIN);
  contents = new electron.FakeContents();
  electron.app.emit("web-contents-created", new electron.FakeEvent(), contents);
});

describe("guardAllContents", () => {
  it.each(["will-navigate", "will-frame-navigate", "will-redirect"])("%s stays within the gateway", (name) => {
    expect(navigate(name, `${ORIGIN}/keys`)).toBe(false);
    for (const address of [
      "https://example.com/",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "data:text/html,x",
      "about:blank",
    ]) {
      expect(navigate(name, address), address).toBe(true);
    }
  });

  it("attaches no webview", () => {
    const event = new electron.FakeEvent();
    contents.emit("will-attach-webview", event);
    expect(event.defaultPrevented).toBe(true);
  });

  it.each([OUTSIDE, `${ORIGIN}/keys`, "javascript:alert(1)", "about:blank"])("opens no window for %s", (url) => {
    press();
    expect(open(url)).toStrictEqual({ action: "deny" });
    expect(electron.windows).toHaveLength(0);
  });

  it("hands a link to the browser after a press, by a new window or by navigation", () => {
    press();
    open(OUTSIDE);
    press("rawKeyDown");
    navigate("will-navigate", OUTSIDE);
    expect(electron.shell.opened).toStrictEqual([OUTSIDE, OUTSIDE]);
  });

  it("hands over nothing that was not pressed", () => {
    open(OUTSIDE);
    contents.emit("input-event", new electron.FakeEvent(), { type: "mouseMove" });
    open(OUTSIDE);
    navigate("will-navigate", OUTSIDE);
    expect(electron.shell.opened).toStrictEqual([]);
  });

  it("uses a press up: one press, one link", () => {
    press();
    for (let index = 0; index < 50; index++) open(`https://example.com/${index}`);
    expect(electron.shell.opened).toStrictEqual(["https://example.com/0"]);
  });

  it("does not keep a press for later", () => {
    press();
    now += GESTURE_MS + 1;
    open(OUTSIDE);
    expect(electron.shell.opened).toStrictEqual([]);
  });

  it("hands over no other scheme, and keeps the press for a real link", () => {
    press();
    for (const url of [
      "file:///c:/windows/system32/calc.exe",
      "ms-msdt:/id x",
      "javascript:alert(1)",
      `${ORIGIN}/control/keys`,
    ])
      open(url);
    expect(electron.shell.opened).toStrictEqual([]);
    open(OUTSIDE);
    expect(electron.shell.opened).toStrictEqual([OUTSIDE]);
  });

  it("hands over nothing for a redirect or for a frame inside the page", () => {
    press();
    navigate("will-redirect", OUTSIDE);
    navigate("will-frame-navigate", OUTSIDE, false);
    navigate("will-navigate", OUTSIDE, false);
    expect(electron.shell.opened).toStrictEqual([]);
  });

  it("does not let the press of one page open another page's link", () => {
    const other = new electron.FakeContents();
    electron.app.emit("web-contents-created", new electron.FakeEvent(), other);
    press();
    other.windowOpenHandler?.({ url: OUTSIDE });
    expect(electron.shell.opened).toStrictEqual([]);
  });
});
