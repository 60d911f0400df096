import { GatewayError } from "../errors.ts";

/** Messages about invalid fields of video requests, in the style of core/validation.ts. All are 400s. */

/** @param accepted "expected …", as in contract schemas. */
export function missing(param: string, accepted: string): GatewayError {
  return new GatewayError("missing_required_parameter", `Missing required parameter: '${param}': ${accepted}.`, {
    param,
  });
}

export function wrongType(param: string, accepted: string, value: unknown): GatewayError {
  return new GatewayError("invalid_type", `Invalid type for '${param}': ${accepted}, but got ${readName(value)}.`, {
    param,
  });
}

export function wrongValue(param: string, value: unknown, accepted: string): GatewayError {
  return new GatewayError("invalid_value", `Invalid value for '${param}': ${shown(value)}; ${accepted}.`, { param });
}

/** @param model the id that the sentence names. @param does what it does instead, as "makes 720p, 1080p". */
export function createUnsupported(param: string, value: unknown, model: string, does: string): GatewayError {
  return new GatewayError(
    "unsupported_value",
    `Unsupported value for '${param}': ${shown(value)}; the model "${model}" ${does}.`,
    { param },
  );
}

/**
 * Returns the single value of several equivalent fields; undefined if none is set.
 * @param what e.g. "one picture to begin from".
 * @throws GatewayError if they differ: the provider takes one, and the others would be ignored although paid for
 */
export function onlyOne<T>(values: readonly T[], param: string, what: string, model: string): T | undefined {
  if (values.length <= 1) return values[0];
  const different = new Set(values.map((one) => JSON.stringify(one)));
  if (different.size === 1) return values[0];
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value for '${param}': the request has ${different.size}; the model "${model}" takes ${what}.`,
    { param },
  );
}

/** How a field is called in sentences: `parameters.size`. @param within empty for the top of the body */
export const readPlace = (within: string, name: string): string => (within === "" ? name : `${within}.${name}`);

/** Shortens a value for a message; never a whole picture. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return typeof value === "string" ? JSON.stringify(short) : short;
}

function readName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return `the text ${shown(value)}`;
  return `the ${typeof value} ${shown(value)}`;
}
