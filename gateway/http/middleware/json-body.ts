import { isUtf8 } from "node:buffer";
import { GatewayError } from "../../core/errors.ts";
import { PIECE_BYTES, VALUE_BYTES, jsonShape } from "../../core/json-shape.ts";
import { hasRepeatedNames } from "../../lib/json-names.ts";
import { weighJson } from "../../lib/json-weight.ts";
import type { BodyRoom, BodyShare } from "../body-room.ts";
import { keyOf } from "../call-input.ts";
import { readBody } from "../read-body.ts";
import type { Context, Next } from "../state.ts";

/** docs/contract.md#authentication-and-errors: "Bodies up to 32 MiB on /v1". */
export const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** The bytes that came, what was parsed of them, and what is written for a provider of another dialect. */
const COST = 3;
/** Deeper JSON serves no client and overflows stacks. */
const MAX_DEPTH = 64;
/** Objects, arrays and texts of one body: parsing so many takes about half a second, and no client sends as many. */
const MAX_PIECES = 500_000;
/** Values of one body: parsing so many takes about 100 MiB, and no request for embeddings has as many tokens. */
const MAX_VALUES = 4_000_000;
/** Smaller bodies are parsed within milliseconds, whatever is in them. */
const WEIGHED_BYTES = 256 * 1024;

/**
 * Reads a JSON body and keeps its bytes: same-dialect calls pass them on untouched, unless an object says a name twice.
 * Our own reader, because koa-body keeps text, not bytes, and costs a quarter of the start (docs/decisions).
 * @param room for what is in flight: the body has its share of it until the call has ended.
 */
export function jsonBody(room: BodyRoom) {
  return async function readJson(context: Context, next: Next): Promise<void> {
    const { req, res, state } = context;
    if (!isJson(req.headers["content-type"])) {
      throw new GatewayError(
        "unsupported_media_type",
        "Send the body as JSON, with the header Content-Type: application/json.",
      );
    }
    const share = room.open(keyOf(context).record.id);
    try {
      const raw = await readBody(req, res, { bytes: MAX_JSON_BYTES, share, cost: COST });
      state.body = parseJson(raw, state, share);
      await next();
      // Nobody needs it any more, while the response may still be on its way.
      state.raw = null;
      state.body = undefined;
    } finally {
      share.close();
    }
  };
}

function isJson(type: string | undefined): boolean {
  if (type === undefined) return false;
  if (type === "application/json") return true;
  const media = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
  return media === "application/json" || media.endsWith("+json");
}

/** What the bytes say; they themselves are left in `state.raw`. */
function parseJson(raw: Buffer, state: Context["state"], share: BodyShare): unknown {
  if (raw.length === 0) throw new GatewayError("invalid_json", "The body is empty. Send a JSON object.");
  if (!isUtf8(raw)) throw new GatewayError("invalid_json", "The body is not valid UTF-8. Send JSON in UTF-8.");
  const heavy = raw.length > WEIGHED_BYTES;
  if (heavy) share.add(weigh(raw));
  const text = raw.toString("utf8");
  // A text with one character beyond Latin takes two bytes for each.
  if (text.length !== raw.length) share.add(raw.length);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const where = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new GatewayError("invalid_json", `The body is not valid JSON: ${where}.`, { cause: error });
  }
  const shape = jsonShape(value, MAX_DEPTH);
  if (shape === null) throw tooDeep();
  if (!heavy) share.add(shape.memory);
  // Limits and prices go by what we understood: a provider that takes the first of two names must not read another request.
  state.raw = hasRepeatedNames(raw, shape.members) ? Buffer.from(JSON.stringify(value)) : raw;
  return value;
}

/**
 * Bytes of memory that it takes beside its characters, roughly.
 * @throws GatewayError for what would keep the parser busy for seconds.
 */
function weigh(raw: Buffer): number {
  const { depth, pieces, values } = weighJson(raw, { depth: MAX_DEPTH, pieces: MAX_PIECES, values: MAX_VALUES });
  if (depth > MAX_DEPTH) throw tooDeep();
  if (pieces > MAX_PIECES) throw tooMany(`${MAX_PIECES} objects, arrays and texts`);
  if (values > MAX_VALUES) throw tooMany(`${MAX_VALUES} values`);
  return pieces * PIECE_BYTES + values * VALUE_BYTES;
}

function tooMany(what: string): GatewayError {
  return new GatewayError("invalid_json", `The body holds more than ${what}. Send it in several requests.`);
}

function tooDeep(): GatewayError {
  return new GatewayError("invalid_json", `The body is nested more than ${MAX_DEPTH} levels deep.`);
}
