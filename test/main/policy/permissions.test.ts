import { describe, expect, it } from "vitest";
import { mayUse } from "../../../main/policy/permissions.ts";

const ORIGIN = "http://127.0.0.1:6174";

/** All permissions that electron.d.ts 45.4.1 lists, but for the one that is granted. */
const REFUSED =
  "ar automatic-fullscreen background-fetch background-sync captured-surface-control clipboard-read " +
  "deprecated-sync-clipboard-read display-capture fileSystem fullscreen geolocation geolocation-approximate " +
  "hand-tracking hid idle-detection keyboardLock local-fonts local-network local-network-access " +
  "loopback-network media mediaKeySystem midi midiSysex nfc notifications openExternal payment-handler " +
  "periodic-background-sync persistent-storage pointerLock screen-wake-lock sensors serial smart-card " +
  "speaker-selection storage-access system-wake-lock top-level-storage-access usb vr web-app-installation " +
  "web-printing window-management unknown";

describe("mayUse", () => {
  it.each([ORIGIN, `${ORIGIN}/`, `${ORIGIN}/keys#a`])("lets %s copy to the clipboard", (asker) => {
    expect(mayUse("clipboard-sanitized-write", asker, true, ORIGIN)).toBe(true);
  });

  it("lets the page hear, and not see", () => {
    const requests: readonly (readonly string[])[] = [["audio"], ["video"], ["audio", "video"], ["unknown"], []];
    expect(requests.map((media) => mayUse("media", ORIGIN, true, ORIGIN, media))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(mayUse("media", ORIGIN, false, ORIGIN, ["audio"])).toBe(false);
    expect(mayUse("media", "https://example.com", true, ORIGIN, ["audio"])).toBe(false);
    expect(mayUse("midi", ORIGIN, true, ORIGIN, ["audio"])).toBe(false);
  });

  it.each(REFUSED.split(" "))("refuses %s to the gateway's own page", (permission) => {
    expect(mayUse(permission, ORIGIN, true, ORIGIN)).toBe(false);
  });

  it.each(["", "null", "about:blank", "https://example.com", "http://127.0.0.1:6175", "http://localhost:6174"])(
    "refuses copying to %j",
    (asker) => {
      expect(mayUse("clipboard-sanitized-write", asker, true, ORIGIN)).toBe(false);
    },
  );

  it("refuses copying to a frame inside the page", () => {
    expect(mayUse("clipboard-sanitized-write", ORIGIN, false, ORIGIN)).toBe(false);
  });

  it.each(["constructor", "__proto__", "toString"])("does not mistake %s for a listed one", (permission) => {
    expect(mayUse(permission, ORIGIN, true, ORIGIN)).toBe(false);
  });
});
