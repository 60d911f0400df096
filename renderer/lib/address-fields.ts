/** Fields in the address of a page: each by its name, with a reader of its text. Misspelt texts are ignored. */

/** @returns undefined for an invalid text */
export type Reading<Value> = (text: string) => Value | undefined;

/** Reads trimmed text, shortened to the gateway's limit. */
export const words =
  (longest: number): Reading<string> =>
  (text) =>
    text.trim().slice(0, longest).trim() || undefined;

export const oneOf =
  <Option extends string>(options: readonly Option[]): Reading<Option> =>
  (text) =>
    options.find((option) => option === text);

/** Builds a reader; null means invalid. */
export const read =
  <Value>(reader: (text: string) => Value | null): Reading<Value> =>
  (text) =>
    reader(text) ?? undefined;

type Readings = Readonly<Record<string, Reading<unknown>>>;
type Values<Of extends Readings> = { readonly [Name in keyof Of]?: Exclude<ReturnType<Of[Name]>, undefined> };

export interface AddressFields<Of extends Readings> {
  /** Reads the fields of an address; empty ones are omitted. */
  getValues(params: URLSearchParams): Values<Of>;
  /** Tells whether an address has any of these fields, valid or not. */
  hasAny(params: URLSearchParams): boolean;
  /** Returns the part of an address with these fields: equal text means equal values. */
  getPart(params: URLSearchParams): string;
  /** All fields cleared, for `replaceParams`. */
  readonly none: Readonly<Record<keyof Of & string, null>>;
}

export function addressFields<Of extends Readings>(readings: Of): AddressFields<Of> {
  const names = Object.keys(readings);
  const textOf = (params: URLSearchParams, name: string): string => params.get(name) ?? "";
  return {
    getValues(params) {
      const values = names.map((name) => [name, readings[name]?.(textOf(params, name))] as const);
      return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Values<Of>;
    },
    hasAny: (params) => names.some((name) => textOf(params, name) !== ""),
    getPart(params) {
      const named = names.map((name) => [name, textOf(params, name)]).filter(([, text]) => text !== "");
      return new URLSearchParams(named).toString();
    },
    none: Object.fromEntries(names.map((name) => [name, null])) as Record<keyof Of & string, null>,
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const rangeMs = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 168 * HOUR_MS, "30d": 720 * HOUR_MS } as const;
export type RangeName = keyof typeof rangeMs;

/** A time filter: a range that ends now, or the moments between which it lies. */
export interface Time {
  readonly range?: RangeName | undefined;
  /** Unix milliseconds: from here, and before there. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Converts a time to moments. Ranges count back from whole minutes: a list is unchanged on return within a minute. */
export function getMoments(
  { range, from, to }: Time,
  now: number,
): { readonly since?: number; readonly until?: number } {
  if (range !== undefined) return { since: Math.floor((now - rangeMs[range]) / MINUTE_MS) * MINUTE_MS };
  return { ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) };
}
