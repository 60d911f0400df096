import { expect, it } from "vitest";
import { shortcutName } from "../../../renderer/lib/shortcuts.ts";

const plain = { ctrlKey: false, metaKey: false, altKey: false };

it.each([
  [{ ...plain, key: "k", ctrlKey: true }, "mod+k"],
  [{ ...plain, key: "K", metaKey: true }, "mod+k"],
  [{ ...plain, key: "?" }, "?"],
  [{ ...plain, key: "G" }, "g"],
  [{ ...plain, key: "Escape" }, "Escape"],
  [{ ...plain, key: "n", altKey: true }, "alt+n"],
])("%o is %s", (event, name) => {
  expect(shortcutName(event)).toBe(name);
});
