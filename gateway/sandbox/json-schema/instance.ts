import { dereference, type Schema as CheckedSchema, validate } from "@cfworker/json-schema";
import { type GenerateOptions, generateSync, type JsonSchema } from "json-schema-faker";
import { runInNewContext } from "node:vm";
import { isRecord } from "../../lib/records.ts";
import { runInThread } from "../../store/media/media-container.ts";
import type { Fields, Json } from "../fields.ts";
import { type HowPlain, MARK, plainSchema } from "./plain-schema.ts";

/**
 * Timeout of the worker for patterns and endless schemas of clients. It is long enough for a busy machine, because the
 * same request has to give the same bytes.
 */
const TIMEOUT_MS = 1_000;
/** Milliseconds of a first attempt on the main thread, which suffices for most schemas. */
const FIRST_MS = 10;
const SEEDS_TRIED = 8;
/** Longer documents are cut short on every machine alike, whether it makes them in time or not. */
const LONGEST = 1_000_000;

const SAMPLES = {
  "date-time": "2024-01-01T12:00:00Z",
  date: "2024-01-01",
  time: "12:00:00Z",
  duration: "PT1S",
  email: "sandbox@example.com",
  hostname: "sandbox.example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/sandbox",
  url: "https://example.com/sandbox",
  uuid: "00000000-0000-4000-8000-000000000001",
};
const COMMON: GenerateOptions = {
  useDefaultValue: true,
  failOnInvalidTypes: false,
  maxDefaultItems: 1,
  formats: Object.fromEntries(Object.entries(SAMPLES).map(([format, sample]) => [format, () => sample])),
};

/** Options of generating a document. */
interface Way extends HowPlain {
  readonly options: GenerateOptions;
  /** Whether free values are the same everywhere, or as the generator drew them. */
  readonly drawn: boolean;
}

const deep = { maxDepth: 16, refDepthMax: 2, optionalsProbability: 0 };
/** The fullest first; each is tried with some seeds. */
const WAYS: readonly Way[] = [
  { nulls: false, optionals: true, patterns: true, drawn: false, options: deep },
  { nulls: true, optionals: true, patterns: true, drawn: false, options: deep },
  { nulls: true, optionals: false, patterns: true, drawn: false, options: deep },
  { nulls: true, optionals: false, patterns: true, drawn: true, options: { ...deep, useDefaultValue: false } },
];
/** Options for schemas that otherwise take too long. */
const SHORT: Way = {
  nulls: true,
  optionals: false,
  patterns: false,
  drawn: false,
  options: { optionalsProbability: 0, maxDepth: 3, refDepthMax: 1, maxItems: 3, maxLength: 100 },
};

/** Values for patterns that are mostly look-ahead, or use Unicode properties. */
const LAST_RESORTS = [
  "sandbox",
  "Sandbox",
  "SANDBOX",
  "1",
  ..."12345".split("").flatMap((n) => ["Aa1!".repeat(+n), "Aa1".repeat(+n)]),
];

/**
 * Returns a value that is valid against a JSON schema, always the same one, for structured responses and tool
 * arguments. json-schema-faker generates it, and @cfworker/json-schema checks whether another seed must be tried. Free
 * texts are `sandbox NAME`, so that they are recognizable. Unsatisfiable or unbounded schemas get the nearest value.
 * @param name used in free texts without a property name
 */
export async function getInstance(schema: unknown, name: string): Promise<Json> {
  const whole = withinTimeout(FIRST_MS, () => firstValid(schema, name, WAYS, getCheck(schema)));
  // Null is a value like others.
  if (whole !== undefined) return whole;
  return runInThread<Json>({ kind: "instance", schema, name }).catch(() => null);
}

/** `instanceOf` in the worker, so that it blocks nothing else. */
export function instanceInTime(schema: unknown, name: string): Json {
  const whole = withinTimeout(TIMEOUT_MS, () => firstValid(schema, name, WAYS, getCheck(schema)));
  if (whole !== undefined) return whole;
  return withinTimeout(TIMEOUT_MS, () => firstValid(schema, name, [SHORT], () => true)) ?? null;
}

/** Undefined when it took too long. */
function withinTimeout<Value>(timeout: number, work: () => Value): Value | undefined {
  try {
    return runInNewContext("work()", { work }, { timeout }) as Value;
  } catch {
    return undefined;
  }
}

function firstValid(schema: unknown, name: string, ways: readonly Way[], isValid: (value: Json) => boolean): Json {
  let nearest: Json | undefined;
  for (const way of ways) {
    const plain = plainSchema(schema, way);
    for (let seed = 1; seed <= SEEDS_TRIED; seed += 1) {
      const outputTransform: GenerateOptions["outputTransform"] = (value, part, path) =>
        plainly(value, part, path.split("/").slice(1), name, way.drawn);
      const value = generateValue(plain, { ...COMMON, ...way.options, seed, outputTransform });
      if (value === undefined) continue;
      if (isValid(value)) return value;
      nearest ??= value;
    }
  }
  return nearest ?? null;
}

function generateValue(schema: JsonSchema, options: GenerateOptions): Json | undefined {
  try {
    // Serialized, because the generator leaves gaps in lists and fields without a value.
    const text = JSON.stringify(generateSync(schema, options));
    if (text.length > LONGEST) return undefined;
    return JSON.parse(text.replaceAll(`${JSON.stringify(MARK).slice(1, -1)}":`, '":')) as Json;
  } catch {
    return undefined;
  }
}

/** Whatever cannot be judged passes. */
function getCheck(schema: unknown): (value: Json) => boolean {
  // The check writes notes into the schema, which is the client's.
  const copy = structuredClone(schema) as CheckedSchema | boolean;
  try {
    const lookup = typeof copy === "boolean" ? {} : dereference(copy);
    return (value) => {
      try {
        return validate(value, copy, "2020-12", lookup).valid;
      } catch {
        return true;
      }
    };
  } catch {
    return () => true;
  }
}

/** Replaces random values of unconstrained types: `sandbox NAME`, 1, true. @param steps path of the value */
function plainly(
  value: unknown,
  schema: JsonSchema,
  steps: readonly string[],
  fallback: string,
  drawn: boolean,
): unknown {
  if (!isRecord(schema) || FIXED.some((keyword) => keyword in schema) || value === schema["default"]) return value;
  const index = Number(steps.findLast((step) => /^\d+$/.test(step)) ?? 0);
  if (Array.isArray(schema.enum)) return drawn ? value : pickValue(schema.enum, value, index);
  if (typeof value === "boolean") return drawn ? value : index % 2 === 0;
  if (typeof value === "number")
    return drawn || NUMERIC.some((keyword) => keyword in schema) ? value : nearOne(index, schema);
  if (typeof value !== "string") return value;
  const own = steps.findLast((step) => step !== "" && !/^\d+$/.test(step))?.replace(MARK, "") ?? fallback;
  const word = `sandbox ${own.replaceAll("~1", "/").replaceAll("~0", "~")}`;
  const free = fitText(index === 0 ? word : `${word} ${index + 1}`, schema);
  if (typeof schema.pattern !== "string") return free;
  const pattern = getExpression(schema.pattern);
  return [value, free, ...LAST_RESORTS].find((text) => pattern?.test(text)) ?? value;
}

const FIXED = ["const", "format"];

/** Picks the first value of a list, or the next one if items must differ. */
function pickValue(values: readonly unknown[], drawn: unknown, index: number): unknown {
  const alike = values.filter((value) => typeof value === typeof drawn);
  return alike[index % alike.length];
}
const NUMERIC = ["exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

function nearOne(index: number, { minimum, maximum }: Fields): number {
  const least = typeof minimum === "number" ? minimum : -Infinity;
  const most = typeof maximum === "number" ? maximum : Infinity;
  return Math.max(least, 1) + index <= most ? Math.max(least, 1) + index : most - index;
}

function getExpression(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return null;
  }
}

/** Cut or filled up to the lengths, which count code points. */
function fitText(text: string, { minLength, maxLength }: Fields): string {
  const letters = Array.from(text);
  const most = typeof maxLength === "number" ? Math.max(0, maxLength) : Infinity;
  if (letters.length > most) return letters.slice(0, most).join("").trimEnd().padEnd(most, ".");
  return typeof minLength === "number"
    ? text.padEnd(text.length - letters.length + Math.min(minLength, 100_000), ".")
    : text;
}
