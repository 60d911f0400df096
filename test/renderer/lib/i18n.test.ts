import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { languageFrom } from "../../../renderer/lib/i18n.tsx";
import { en } from "../../../renderer/locales/en.ts";
import { zh } from "../../../renderer/locales/zh.ts";

/** Every message as `path kind`, functions with their number of gaps. */
function shapeOf(value: unknown, path = ""): string[] {
  if (typeof value === "string") return [`${path} text`];
  if (typeof value === "function") return [`${path} ${value.length} gaps`];
  return Object.entries(value as object).flatMap(([name, part]) => shapeOf(part, `${path}.${name}`));
}

it("each language has every message, with the same gaps", () => {
  expect(shapeOf(zh)).toEqual(shapeOf(en));
});

it("every message of a group is named by a page; those in tables are picked by a value", () => {
  const root = join(import.meta.dirname, "../../../renderer");
  const files = globSync("**/*.{ts,tsx}", { cwd: root }).filter((path) => !path.startsWith("locales"));
  const named = new Set(files.flatMap((path) => readFileSync(join(root, path), "utf8").match(/\w+/g) ?? []));
  const messages = Object.values(en).flatMap((group) => Object.keys(group));
  expect(messages.filter((name) => !named.has(name))).toEqual([]);
});

it("every gap is filled in every language", () => {
  const fill = (value: unknown): string[] => {
    if (typeof value === "string") return [];
    if (typeof value === "function") {
      const values = Array.from({ length: value.length }, (_, index) => `value${index}`);
      const text = String(value(...values));
      return values.filter((each) => !text.includes(each)).map(() => text);
    }
    return Object.values(value as object).flatMap(fill);
  };
  expect([fill(en), fill(zh)]).toEqual([[], []]);
});

it("sentences do not shout, and do not begin in capitals throughout", () => {
  expect(JSON.stringify([en, zh])).not.toMatch(/[!！]/);
});

it.each([
  [null, ["zh-CN", "en"], "zh"],
  [null, ["fr-FR", "en-GB"], "en"],
  [null, ["fr-FR"], "en"],
  ["en", ["zh"], "en"],
  ["xx", ["zh"], "zh"],
])("a choice of %s and a browser of %o speak %s", (stored, preferred, language) => {
  expect(languageFrom(stored, preferred)).toBe(language);
});
