/**
 * Values of OTLP as JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding, OTLP 1.11.0 of 2026-07-21):
 * names in lowerCamelCase, 64-bit integers as decimal texts, ids in hexadecimal, enums as numbers.
 */

export type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number };

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

/** Max characters of an attribute, because clients can send any length. */
const LONGEST = 1_000;

/** Returns text that every JSON parser accepts: without lone surrogates. */
export function writePlainText(text: string, longest = LONGEST): string {
  return text.slice(0, longest).toWellFormed();
}

export function getText(key: string, text: string): KeyValue {
  return { key, value: { stringValue: writePlainText(text) } };
}

export function getFlag(key: string, value: boolean): KeyValue {
  return { key, value: { boolValue: value } };
}

export function getInteger(key: string, value: number): KeyValue {
  return { key, value: { intValue: formatWholeText(value) } };
}

export function getDouble(key: string, value: number): KeyValue {
  return { key, value: { doubleValue: Number.isFinite(value) ? value : 0 } };
}

/** A 64-bit integer. What is no number is 0. */
export function formatWholeText(value: number): string {
  return Number.isFinite(value) ? BigInt(Math.round(value)).toString() : "0";
}

/**
 * A moment in Unix nanoseconds, exact: as a number of milliseconds it would lose the tenths.
 * @param at Unix milliseconds. @param before so many milliseconds earlier
 */
export function formatNanosecondsText(at: number, before = 0): string {
  const moment = BigInt(formatWholeText(at)) * 1_000_000n - BigInt(formatWholeText(before * 1_000_000));
  // Times before 1970 are invalid.
  return (moment < 0n ? 0n : moment).toString();
}

/** The identity and version of the telemetry's sender. */
export interface Source {
  readonly version: string;
  /** Tells this Postern from others of the same owner, over restarts. */
  readonly instance: string;
  /** Name of its machine. */
  readonly host: string;
}

/** The last version of the conventions in which those for generative AI are (docs/decisions/recordings-and-telemetry.md). */
export const SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0";

export function getResource({ version, instance, host }: Source) {
  return {
    attributes: [
      getText("service.name", "postern"),
      getText("service.version", version),
      getText("service.instance.id", instance),
      getText("host.name", host),
    ],
  };
}

export function getScope({ version }: Source) {
  return { name: "postern", version };
}
