import { expect, it, vi } from "vitest";
import { formatShortcutName, takesKey } from "../../../renderer/lib/shortcuts.ts";

const plain = { ctrlKey: false, metaKey: false, altKey: false };

it.each([
  [{ ...plain, key: "k", ctrlKey: true }, "mod+k"],
  [{ ...plain, key: "K", metaKey: true }, "mod+k"],
  [{ ...plain, key: "?" }, "?"],
  [{ ...plain, key: "G" }, "g"],
  [{ ...plain, key: "Escape" }, "Escape"],
  [{ ...plain, key: "n", altKey: true }, "alt+n"],
])("%o is %s", (event, name) => {
  expect(formatShortcutName(event)).toBe(name);
});

it.each([
  ["is pressed alone", {}, false, false, true],
  ["is pressed with Ctrl", { ctrlKey: true }, false, false, false],
  ["is pressed with Command", { metaKey: true }, false, false, false],
  ["is pressed with Alt", { altKey: true }, false, false, false],
  ["was taken already", { defaultPrevented: true }, false, false, false],
  ["composes a character", { isComposing: true }, false, false, false],
  ["is typed into a field", {}, true, false, false],
  ["is pressed in a dialog", {}, false, true, false],
])("a key that %s", (_what, event, isField, isOverlay, isFree) => {
  class FakeElement {
    isContentEditable = false;
    matches = () => isField;
  }
  vi.stubGlobal("HTMLElement", FakeElement);
  vi.stubGlobal("document", { querySelector: () => (isOverlay ? {} : null) });
  const pressed = { ...plain, key: "n", defaultPrevented: false, isComposing: false, target: new FakeElement() };
  expect(takesKey({ ...pressed, ...event } as unknown as KeyboardEvent)).toBe(isFree);
});
