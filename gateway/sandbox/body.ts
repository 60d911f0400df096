import type { IncomingMessage } from "node:http";
import { jsonShape } from "../core/json-shape.ts";
import { Failure } from "./failure.ts";

/** The largest request, as on the gateway itself. */
const LARGEST_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Reads a request's body.
 * @throws Failure 413 beyond `largest`, 415 for a compressed body; the stream's own error when the client goes away
 */
export async function readBody(request: IncomingMessage, largest = LARGEST_BODY_BYTES): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw new Failure(415, `The request body must not be compressed (${encoding}).`);
  if (Number(request.headers["content-length"] ?? 0) > largest) throw tooLarge(largest);
  const parts: Buffer[] = [];
  let length = 0;
  // Leaving the loop must not destroy the stream: with it would go the connection, and the answer.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > largest) throw tooLarge(largest);
    parts.push(part);
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

function tooLarge(largest: number): Failure {
  return new Failure(413, `The request body is larger than ${largest / 1024 / 1024} MiB.`, {
    code: "request_too_large",
  });
}

/** Nothing that a provider accepts is nested deeper; what is deeper could exhaust the stack further on. */
const DEEPEST_JSON = 200;

/**
 * The JSON value of a body.
 * @throws Failure (400) when it is not JSON in UTF-8, or nested too deeply
 */
export function parsedJson(body: Buffer): unknown {
  const value = jsonOf(body);
  if (jsonShape(value, DEEPEST_JSON) === null) {
    throw new Failure(400, `The JSON body of your request is nested more than ${DEEPEST_JSON} levels deep.`);
  }
  return value;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as unknown;
  } catch {
    throw new Failure(400, "We could not parse the JSON body of your request. It must be a JSON document in UTF-8.");
  }
}
