import { matchFor } from "./pattern.ts";
import type { PatternTest } from "./pattern-test.ts";
import { numberAt, type Schema } from "./shape.ts";

/** A sample of each format of JSON Schema and of OpenAPI that a value can be told apart by. */
const SAMPLES: Readonly<Record<string, (variant: number) => string>> = {
  "date-time": (variant) => `2024-01-${day(variant)}T12:00:00Z`,
  date: (variant) => `2024-01-${day(variant)}`,
  time: (variant) => `12:00:${twoDigits(variant % 60)}Z`,
  duration: (variant) => `PT${variant + 1}S`,
  email: (variant) => `sandbox${suffix(variant)}@example.com`,
  "idn-email": (variant) => `sandbox${suffix(variant)}@example.com`,
  hostname: (variant) => `sandbox${suffix(variant)}.example.com`,
  "idn-hostname": (variant) => `sandbox${suffix(variant)}.example.com`,
  ipv4: (variant) => `192.0.2.${(variant % 254) + 1}`,
  ipv6: (variant) => `2001:db8::${(variant + 1).toString(16)}`,
  uri: (variant) => `https://example.com/sandbox${suffix(variant)}`,
  url: (variant) => `https://example.com/sandbox${suffix(variant)}`,
  iri: (variant) => `https://example.com/sandbox${suffix(variant)}`,
  "uri-reference": (variant) => `/sandbox${suffix(variant)}`,
  "iri-reference": (variant) => `/sandbox${suffix(variant)}`,
  "uri-template": (variant) => `/sandbox${suffix(variant)}/{id}`,
  uuid: (variant) => `00000000-0000-4000-8000-${(variant + 1).toString(16).padStart(12, "0")}`,
  "json-pointer": (variant) => `/sandbox${suffix(variant)}`,
  "relative-json-pointer": (variant) => `${variant}/sandbox`,
  regex: (variant) => `^sandbox${suffix(variant)}$`,
  byte: (variant) => Buffer.from(`sandbox${suffix(variant)}`).toString("base64"),
};

/** For patterns that are mostly look-ahead, as those of passwords: one of each kind of character. */
const LAST_RESORTS = [1, 2, 3, 4, 5].flatMap((times) => ["Aa1!", "Aa1"].map((text) => text.repeat(times)));

/** Longer texts are not made, whatever `minLength` says. */
const LONGEST = 100_000;

/**
 * A text that keeps to `format`, `pattern` and the lengths, as well as can be. A free text is `sandbox NAME`.
 * @param name of the property that it is for
 * @param variant 0 for the first; higher ones give other texts, for lists of unique items
 */
export function stringFor(schema: Schema, name: string, variant: number, matches: PatternTest): string {
  const sample = typeof schema["format"] === "string" ? SAMPLES[schema["format"]] : undefined;
  const pattern = typeof schema["pattern"] === "string" ? schema["pattern"] : undefined;
  const free = fitted(`sandbox ${name}${variant === 0 ? "" : ` ${variant + 1}`}`, schema, variant);
  const candidates = sample ? [sample(variant)] : [];
  if (pattern !== undefined) candidates.push(...matchesOf(pattern, schema, variant), free, ...LAST_RESORTS);
  return candidates.find((candidate) => stringFits(schema, candidate, matches)) ?? candidates[0] ?? free;
}

/** Whether `value` keeps to the lengths and the pattern. Formats are annotations and are not judged. */
export function stringFits(schema: Schema, value: string, matches: PatternTest): boolean {
  const length = codePoints(value).length;
  if (length < (numberAt(schema, "minLength") ?? 0)) return false;
  if (length > (numberAt(schema, "maxLength") ?? Infinity)) return false;
  return typeof schema["pattern"] !== "string" || matches(schema["pattern"], value);
}

/** Matches of a pattern with few and with many repetitions, until the lengths are kept. */
function matchesOf(pattern: string, schema: Schema, variant: number): string[] {
  const least = Math.min(numberAt(schema, "minLength") ?? 0, 1_000);
  const repetitions = [...new Set([1, 0, 2, 3, 5, 8, 16, least])];
  return repetitions.map((extra) => matchFor(pattern, extra, variant)).filter((match) => match !== undefined);
}

/** Cut or filled up to the lengths; the end is kept, because it tells variants apart. */
function fitted(text: string, schema: Schema, variant: number): string {
  const most = numberAt(schema, "maxLength") ?? Infinity;
  const least = Math.min(numberAt(schema, "minLength") ?? 0, LONGEST);
  const letters = codePoints(text);
  if (letters.length > most) return most <= 0 ? "" : shortText(letters, most, variant);
  return letters.length < least ? text.padEnd(text.length + least - letters.length, ".") : text;
}

function shortText(letters: readonly string[], most: number, variant: number): string {
  const end = variant === 0 ? "" : variant.toString(36);
  return (
    letters
      .slice(0, Math.max(0, most - end.length))
      .join("")
      .trimEnd()
      .padEnd(Math.max(0, most - end.length), ".") + end
  );
}

/** JSON Schema counts the length of a text in code points. */
function codePoints(text: string): string[] {
  return Array.from(text);
}

function day(variant: number): string {
  return twoDigits((variant % 28) + 1);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

function suffix(variant: number): string {
  return variant === 0 ? "" : String(variant + 1);
}
