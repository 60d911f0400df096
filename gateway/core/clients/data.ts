import { isRecord } from "../../lib/records.ts";

/** The content of a configuration file in any format: JSON's values, and dates and big integers of TOML. */
export type Data = unknown;

/** Names of objects, and indexes of lists. */
export type Path = readonly (string | number)[];

/** Path step to the last list element whose fields have these values. */
export type Finder = Readonly<Record<string, string>>;

/** Returns the value at a path; undefined when there is no such value. */
export function getValue(data: Data, path: readonly (string | number | Finder)[]): Data {
  let at = data;
  for (const step of path) {
    if (typeof step === "number") at = Array.isArray(at) ? at[step] : undefined;
    else if (typeof step === "object")
      at = Array.isArray(at) ? (at as Data[]).findLast((one) => fits(one, step)) : null;
    else at = isRecord(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }
  return at;
}

const fits = (item: Data, wanted: Finder): boolean =>
  Object.entries(wanted).every(([name, value]) => getValue(item, [name]) === value);

/** Returns `data` with a value set at a path of names; missing objects are created. `data` itself is unchanged. */
export function withValue(data: Data, path: readonly string[], value: Data): Data {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const record = isRecord(data) ? data : {};
  return { ...record, [name]: withValue(record[name], rest, value) };
}

/** Returns `data` without the value at a path. */
export function withoutValue(data: Data, path: Path): Data {
  const [step, ...rest] = path;
  if (typeof step === "number") {
    if (!Array.isArray(data)) return data;
    if (rest.length === 0) return data.filter((_, index) => index !== step);
    return data.map((item, index) => (index === step ? withoutValue(item, rest) : item));
  }
  if (step === undefined || !isRecord(data) || !Object.hasOwn(data, step)) return data;
  if (rest.length > 0) return { ...data, [step]: withoutValue(data[step], rest) };
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== step));
}

/** Returns text that is the same for equal data: names in order, dates and big integers distinct from strings. */
export function canonical(data: Data): string {
  if (Array.isArray(data)) return `[${data.map(canonical).join(",")}]`;
  if (data instanceof Date) return `date(${data.toISOString()})`;
  if (typeof data === "bigint") return String(data);
  if (typeof data === "number" && Number.isSafeInteger(data)) return String(data);
  if (isRecord(data)) {
    const names = Object.keys(data).toSorted();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(data[name])}`).join(",")}}`;
  }
  return typeof data === "number" ? `number(${data})` : (JSON.stringify(data) ?? "undefined");
}

/** Tells whether two values are equal, regardless of member order. */
export function sameData(a: Data, b: Data): boolean {
  return canonical(a) === canonical(b);
}
