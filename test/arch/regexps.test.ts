import { analyse } from "scslre";
import { parseSync } from "vite";
import { expect, it } from "vitest";
import { filesBelow, readSource } from "./source-tree.ts";

/**
 * Expressions that may take time out of proportion to their input, and why that does no harm. All others are refused:
 * bound what repeats, or have a lookbehind forbid a start within it, as in `(?<!\/)\/+$`.
 */
const HARMLESS: Readonly<Record<string, string>> = {
  "/^(.*\\S)\\s*=\\s*(\\S+)\\s*$/": "a line that the owner types",
  '/^"?\\s*(|0|false|no|off)\\s*"?$/i': "a variable of a settings file of this machine",
  "/^bearer +(.*)$/is": "it cannot fail behind the blanks",
  "/\\/v\\d+[a-z0-9]*(\\/|$)/": "a base URL, of at most 2,000 characters",
  "/(?:\\/v1\\/(?:traces|metrics|logs))?\\/*$/": "a setting",
  "/\\/\\/[^@]*@/": "a proxy's address",
  "/\\..*$/": "a host's name",
  "/%.*$/": "an IP address",
};
/** Programs of the owner's machine and pages, whose texts are the owner's. */
const OWN = /^(main|renderer|gateway\/sandbox)\//;

interface Found {
  readonly place: string;
  readonly text: string;
}

/** Regular expressions that are written out in a source. */
function expressionsIn(path: string): Found[] {
  const source = readSource(path);
  const found: Found[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex, start } = node as { regex?: { pattern: string; flags: string }; start?: number };
    if (regex !== undefined) {
      const place = `${path}:${source.slice(0, start).split("\n").length}`;
      found.push({ place, text: `/${regex.pattern}/${regex.flags}` });
    } else for (const inner of Object.values(node)) visit(inner);
  };
  visit(parseSync(path, source).program);
  return found;
}

function isSuperLinear(text: string): boolean {
  const end = text.lastIndexOf("/");
  const request = { source: text.slice(1, end), flags: text.slice(end + 1) };
  return analyse(request, { reportTypes: { Move: true } }).reports.length > 0;
}

it("no regular expression takes time out of proportion to what others send", () => {
  const all = ["gateway", "main", "renderer"]
    .flatMap((folder) => filesBelow(folder, [".ts", ".tsx", ".mjs"]))
    .flatMap(expressionsIn);
  expect(all.length).toBeGreaterThan(500);
  const found = all.filter(({ text }) => isSuperLinear(text));
  expect(found.filter(({ place, text }) => !OWN.test(place) && !(text in HARMLESS))).toEqual([]);
  expect(Object.keys(HARMLESS).filter((text) => !found.some((one) => one.text === text))).toEqual([]);
});

it.each([/\s+x/, /(a+)+b/, /\d+\.?\d*x/, /[ \t]*\[/])("finds %s", (expression) =>
  expect(isSuperLinear(String(expression))).toBe(true),
);
