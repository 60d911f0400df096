import { isAscii, isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { GatewayError } from "../../core/errors.ts";
import { withoutMark } from "../../lib/json.ts";
import { parseInPieces } from "../../lib/json-pieces.ts";
import { isRecord } from "../../lib/records.ts";
import { refuseMiswritten } from "../../services/calls/known-fields.ts";
import { mayMislead, scanJson } from "../../lib/json-scan.ts";
import type { JsonScan } from "../../lib/json-scan.ts";
import type { BodyRoom, BodyShare } from "../body-room.ts";
import { getKey } from "../call-input.ts";
import { readBody } from "../read-body.ts";
import type { Context, Next, RequestState } from "../state.ts";

/** docs/specification.md#keys-bodies-timeouts: "Bodies up to 32 MiB". */
export const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** Memory factor: the received bytes, the parsed value, and the body for a provider of another dialect. */
const COST = 3;
/** Deeper JSON serves no client and overflows stacks. */
const MAX_DEPTH = 64;
/**
 * Max objects, arrays and strings of one body: parsing this many takes about a quarter of a second, and no client sends
 * as many.
 */
const MAX_PIECES = 250_000;
/** Max values of one body: parsing this many takes about 100 MiB, and no embeddings request has as many tokens. */
const MAX_VALUES = 4_000_000;
/** Memory of an object, an array or a text, next to its characters; and of any other value. Measured on V8, roughly. */
const PIECE_BYTES = 64;
const VALUE_BYTES = 16;
const LIMITS = { depth: MAX_DEPTH, pieces: MAX_PIECES, values: MAX_VALUES };
/** Bodies of more have turns of the event loop between looking at them, parsing, comparing names, and their call. */
const HEAVY_PIECES = 20_000;
const HEAVY_BYTES = 4 * 1024 * 1024;
/** Longer ones stand in line. A text of them would get pages of V8's own, which cost as much as parsing. */
const LINE_BYTES = 128 * 1024;

/**
 * Reads a JSON body and keeps its bytes: same-dialect calls forward them unchanged, unless an object has a duplicate or
 * escaped name. A custom reader, because koa-body keeps text, not bytes, and costs a quarter of the start.
 * @param room memory for running requests, in which the body has its share until the call ends.
 */
export function jsonBody(room: BodyRoom) {
  return async function readJson(context: Context, next: Next): Promise<void> {
    const { req, res, state } = context;
    // Ollama takes a body of any type for JSON, and its documentation's curl commands name none.
    if (state.family !== "ollama" && !isJson(req.headers["content-type"])) {
      throw new GatewayError(
        "unsupported_media_type",
        "Send the body as JSON, with the header Content-Type: application/json.",
      );
    }
    const share = room.open(getKey(context).record.id);
    try {
      const raw = withoutMark(await readBody(req, res, { bytes: MAX_JSON_BYTES, share, cost: COST }));
      if (raw.length <= LINE_BYTES) keep(state, raw, scanBody(raw, share), parseBody(raw));
      else await room.inLine(() => parseLarge(state, raw, share));
      await next();
      // The body is no longer needed, while the response may still be in progress.
      state.raw = null;
      state.body = undefined;
    } finally {
      share.close();
    }
  };
}

/**
 * Parses when it is this body's turn, and resolves with nothing: a promise that has waited is in the old generation,
 * and V8 promotes its value too, until it collects the whole heap (docs/decisions/memory.md).
 */
async function parseLarge(state: RequestState, raw: Buffer, share: BodyShare): Promise<void> {
  await nextTurn();
  const scan = scanBody(raw, share);
  const isHeavy = scan.pieces > HEAVY_PIECES || raw.length > HEAVY_BYTES;
  if (isHeavy) await nextTurn();
  const value = await parseInPieces(raw, scan).catch(refuse);
  if (isHeavy) await nextTurn();
  keep(state, raw, scan, value);
  if (isHeavy) await nextTurn();
}

function keep(state: RequestState, raw: Buffer, scan: JsonScan, value: unknown): void {
  // Limits and prices depend on our parse: a provider that uses the first of two names must not read another request.
  state.raw = mayMislead(scan, value) ? Buffer.from(JSON.stringify(value)) : raw;
  state.body = value;
  if (isRecord(value)) refuseMiswritten(Object.keys(value));
}

function isJson(type: string | undefined): boolean {
  const media = (type?.split(";")[0] ?? "").trim().toLowerCase();
  return media === "application/json" || media.endsWith("+json");
}

/** Scans the bytes once, and reserves memory for the parsed value. @throws GatewayError */
function scanBody(raw: Buffer, share: BodyShare): JsonScan {
  if (raw.length === 0) throw new GatewayError("invalid_json", "The body is empty. Send a JSON object.");
  if (!isUtf8(raw)) throw new GatewayError("invalid_json", "The body is not valid UTF-8. Send JSON in UTF-8.");
  const scan = scanJson(raw, LIMITS);
  refuseHeavy(scan);
  share.add(scan.pieces * PIECE_BYTES + scan.values * VALUE_BYTES);
  // A string with one character beyond Latin-1 takes two bytes per character.
  if (!isAscii(raw)) share.add(raw.length);
  return scan;
}

function parseBody(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString());
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  const where = error instanceof Error ? error.message : "";
  throw new GatewayError("invalid_json", `The body is not valid JSON: ${where}.`, { cause: error });
}

/** @throws GatewayError for what would keep the parser busy for seconds. */
function refuseHeavy({ depth, pieces, values }: JsonScan): void {
  if (depth > MAX_DEPTH)
    throw new GatewayError("invalid_json", `The body is nested more than ${MAX_DEPTH} levels deep.`);
  if (pieces > MAX_PIECES) throw tooMany(`${MAX_PIECES} objects, arrays and texts`);
  if (values > MAX_VALUES) throw tooMany(`${MAX_VALUES} values`);
}

function tooMany(what: string): GatewayError {
  return new GatewayError("invalid_json", `The body holds more than ${what}. Send it in several requests.`);
}
