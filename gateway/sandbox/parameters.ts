import { Failure, invalidType } from "./failure.ts";
import { textOf, type Fields } from "./fields.ts";

/**
 * A number of the request within its bounds; undefined when it is absent or null.
 * @throws Failure (400) that names the field, the bound and the value
 */
export function numberOf(body: Fields, param: string, least = -Infinity, most = Infinity): number | undefined {
  const value = body[param];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number") throw invalidType(param, "a number");
  if (value < least) throw outOfBounds(param, value, `>= ${least}`, "below_min_value");
  if (value > most) throw outOfBounds(param, value, `<= ${most}`, "above_max_value");
  return value;
}

/** As `numberOf`, for whole numbers. */
export function integerOf(body: Fields, param: string, least = -Infinity, most = Infinity): number | undefined {
  const value = numberOf(body, param, least, most);
  if (value !== undefined && !Number.isInteger(value)) throw invalidType(param, "an integer");
  return value;
}

/** A switch of the request; undefined when it is absent or null. */
export function booleanOf(body: Fields, param: string): boolean | undefined {
  const value = body[param];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") throw invalidType(param, "a boolean");
  return value;
}

const MOST_STOPS = 4;

/** `stop`: one text or up to four. Empty ones would stop every answer before it began and are left out. */
export function stopOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MOST_STOPS) {
    throw new Failure(400, `Invalid 'stop': array too long. Expected an array with maximum length ${MOST_STOPS}.`, {
      param: "stop",
      code: "array_above_max_length",
    });
  }
  return list
    .map((item) => {
      const text = textOf(item);
      if (text === undefined) throw invalidType("stop", "a string or an array of strings");
      return text;
    })
    .filter((text) => text !== "");
}

function outOfBounds(param: string, value: number, bound: string, code: string): Failure {
  const kind = Number.isInteger(value) ? "integer" : "decimal";
  return new Failure(400, `Invalid '${param}': expected a value ${bound}, but got ${value} instead.`, {
    param,
    code: `${kind}_${code}`,
  });
}
