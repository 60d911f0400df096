import { isUtf8 } from "node:buffer";
import { GatewayError } from "../../core/errors.ts";
import { exceedsDepth } from "../../core/json-depth.ts";
import { hasRepeatedNames } from "../../lib/json-names.ts";
import { weighJson } from "../../lib/json-weight.ts";
import { ArrivingBytes } from "../arriving-bytes.ts";
import { readBody } from "../read-body.ts";
import type { Context, Next } from "../state.ts";

/** Contract: "Bodies up to 32 MiB on /v1". */
export const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** Of all bodies on their way: sixteen of the largest, or thousands of common ones. */
const arriving = new ArrivingBytes(16 * MAX_JSON_BYTES);
/** Deeper JSON serves no client and overflows stacks. */
const MAX_DEPTH = 64;
/** Objects, arrays and texts of one body: parsing so many takes about half a second, and no client sends as many. */
const MAX_PIECES = 500_000;
/** Smaller bodies are parsed within milliseconds, whatever is in them. */
const WEIGHED_BYTES = 256 * 1024;

/**
 * Reads a JSON body and keeps its bytes: same-dialect calls pass them on untouched, unless an object says a name twice.
 * Our own reader, because koa-body keeps text, not bytes, and costs a quarter of the start (docs/decisions).
 */
export async function jsonBody(context: Context, next: Next): Promise<void> {
  if (!isJson(context.req.headers["content-type"])) {
    throw new GatewayError(
      "unsupported_media_type",
      "Send the body as JSON, with the header Content-Type: application/json.",
    );
  }
  const raw = await readBody(context.req, context.res, MAX_JSON_BYTES, arriving);
  const body = parseJson(raw);
  // Limits and prices go by what we understood: a vendor that takes the first of two names must not read another request.
  context.state.raw = hasRepeatedNames(raw, body) ? Buffer.from(JSON.stringify(body)) : raw;
  context.state.body = body;
  return next();
}

function isJson(type: string | undefined): boolean {
  if (type === undefined) return false;
  if (type === "application/json") return true;
  const media = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
  return media === "application/json" || media.endsWith("+json");
}

function parseJson(raw: Buffer): unknown {
  if (raw.length === 0) throw new GatewayError("invalid_json", "The body is empty. Send a JSON object.");
  if (!isUtf8(raw)) throw new GatewayError("invalid_json", "The body is not valid UTF-8. Send JSON in UTF-8.");
  if (raw.length > WEIGHED_BYTES) refuseHeavy(raw);
  let value: unknown;
  try {
    value = JSON.parse(raw.toString("utf8"));
  } catch (error) {
    const where = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new GatewayError("invalid_json", `The body is not valid JSON: ${where}.`, { cause: error });
  }
  if (exceedsDepth(value, MAX_DEPTH)) throw tooDeep();
  return value;
}

/** @throws GatewayError for what would keep the parser busy for seconds. */
function refuseHeavy(raw: Buffer): void {
  const { depth, pieces } = weighJson(raw, { depth: MAX_DEPTH, pieces: MAX_PIECES });
  if (depth > MAX_DEPTH) throw tooDeep();
  if (pieces > MAX_PIECES) {
    throw new GatewayError(
      "invalid_json",
      `The body holds more than ${MAX_PIECES} objects, arrays and texts. Send it in several requests.`,
    );
  }
}

function tooDeep(): GatewayError {
  return new GatewayError("invalid_json", `The body is nested more than ${MAX_DEPTH} levels deep.`);
}
