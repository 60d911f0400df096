import { isUtf8 } from "node:buffer";

/** Parses JSON from outside; undefined when it is invalid. */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) return undefined;
  try {
    return JSON.parse(withoutMark(body).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A byte order mark in front is no JSON, but some servers write one. */
export function withoutMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}
