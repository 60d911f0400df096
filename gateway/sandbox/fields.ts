import { asList, isRecord } from "../lib/records.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object with unchecked fields. */
export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};

/**
 * The gateway is the sandbox's only client and has validated its requests, so they are only read. Values that are
 * missing or of another type read as empty.
 */
export function getRecord(value: unknown): Fields {
  return isRecord(value) ? value : NONE;
}

/** The objects of a list. */
export function getRecords(value: unknown): readonly Fields[] {
  return asList(value).filter(isRecord);
}

/** Returns `value` if it is text; else undefined. */
export function getText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns `value` if it is a number; else undefined. */
export function getNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Returns the entry of a table for an untrusted name: `__proto__` and the like have no entry. */
export function ownEntry<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
