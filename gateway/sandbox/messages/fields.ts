import type { Fields } from "../fields.ts";
import { invalid } from "./failure.ts";

/** A number within its bounds; null where it is absent. @throws Failure (400) in Anthropic's words */
export function numberIn(body: Fields, name: string, least: number, most: number): number | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== "number") throw invalid(name, "Input should be a valid number");
  if (value < least) throw invalid(name, `Input should be greater than or equal to ${least}`);
  if (value > most) throw invalid(name, `Input should be less than or equal to ${most}`);
  return value;
}

/** As `numberIn`, for whole numbers without an upper bound. */
export function wholeFrom(body: Fields, name: string, least: number, path = name): number | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== "number" || !Number.isInteger(value)) throw invalid(path, "Input should be a valid integer");
  if (value < least) throw invalid(path, `Input should be greater than or equal to ${least}`);
  return value;
}

/** A switch; false where it is absent. */
export function switchIn(body: Fields, name: string): boolean {
  const value = body[name];
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw invalid(name, "Input should be a valid boolean");
  return value;
}
