import { isRecord } from "../../lib/records.ts";
import { exceedsDepth } from "../json-depth.ts";

/** Max characters. Providers' bodies about a task are a few KiB, and four deep; a hundred of them are one page of a list. */
const LARGEST_CHARACTERS = 64 * 1024;
const LARGEST_FIELDS = 4 * 1024;
const DEEPEST = 64;
/** Min characters of a key, as in lib/redact.ts. */
const SHORTEST_SECRET = 4;

/**
 * Returns the stored form of a provider's task body, shown as `native`: verbatim, except that our keys are redacted and
 * an oversized body is replaced by its size.
 * @param secrets exact values to redact; signatures in result URLs stay.
 */
export function createStoredNative(body: unknown, secrets: readonly string[], largest = LARGEST_CHARACTERS): unknown {
  if (body === undefined) return null;
  // A too deep value is not serialized, which would exhaust the stack.
  if (exceedsDepth(body, DEEPEST)) return { omitted: `nested deeper than ${DEEPEST}` };
  const text = JSON.stringify(body);
  if (text.length > largest) return { omitted: `${text.length} characters` };
  const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  const containsSecret = known.some((secret) => text.includes(JSON.stringify(secret).slice(1, -1)));
  return containsSecret ? without(body, known) : body;
}

/** Returns the provider's object of figures (`usage`), which is small, as `createStoredNative` does. */
export function createStoredUsage(
  usage: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): Readonly<Record<string, unknown>> {
  return createStoredNative(usage, secrets, LARGEST_FIELDS) as Readonly<Record<string, unknown>>;
}

function without(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return cleanText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => without(item, secrets));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [cleanText(name, secrets), without(field, secrets)]),
  );
}

function cleanText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, "[redacted]"), text);
}
