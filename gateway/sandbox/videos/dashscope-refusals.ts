import { Failure } from "../failure.ts";
import type { Fields } from "../fields.ts";

/**
 * How DashScope refuses a field: what is wrong, and where (docs/providers/dashscope.md#wan-25-and-26 has "Field
 * required: input.img_url").
 */
export function refused(sentence: string, path: string): Failure {
  return new Failure(400, `${sentence}: ${path}`, { code: "InvalidParameter" });
}

/** A text that must be there and hold something. */
export function requiredText(fields: Fields, name: string, path: string): string {
  const value = fields[name];
  if (value === undefined || value === null || value === "") throw refused("Field required", path);
  if (typeof value !== "string") throw refused("Input should be a valid string", path);
  return value;
}

/** A text that may be left out. */
export function optionalText(fields: Fields, name: string, path: string): string | undefined {
  return fields[name] === undefined || fields[name] === null ? undefined : requiredText(fields, name, path);
}

/** An address from which the provider could fetch something (docs/providers/dashscope.md#wan-27). */
export function requiredAddress(fields: Fields, name: string, path: string): string {
  const address = requiredText(fields, name, path);
  if (/^(https?:\/\/[^/]|oss:\/\/[^/]|data:\w+\/[\w.+-]+;base64,)/i.test(address)) return address;
  throw new Failure(400, `The provided URL does not appear to be valid: ${path}`, { code: "InvalidURL" });
}

/** A whole number within its bounds. */
export function wholeNumber(fields: Fields, name: string, path: string, from: number, to: number): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value)) throw refused("Input should be a valid integer", path);
  if (value < from) throw refused(`Input should be greater than or equal to ${from}`, path);
  if (value > to) throw refused(`Input should be less than or equal to ${to}`, path);
  return value;
}

/** One of some values, named in single quotes where they are texts. */
export function oneOf<Value extends string | number>(value: unknown, values: readonly Value[], path: string): Value {
  const found = values.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  const names = values.map((candidate) => (typeof candidate === "string" ? `'${candidate}'` : String(candidate)));
  const last = names.at(-1) ?? "";
  throw refused(`Input should be ${names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${last}` : last}`, path);
}
