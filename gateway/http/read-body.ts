import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { GatewayError } from "../core/errors.ts";
import type { ArrivingBytes } from "./arriving-bytes.ts";

/** Silence within a body after which the client is given up (reliability reference C5). */
const IDLE_MS = 30_000;

const UNPACK = {
  gzip: promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
} as const;

/**
 * A request's whole body. Over `limit` (declared, counted or unpacked) it stops reading, answers 413 and closes the
 * connection rather than reading on.
 * @param room shared with other bodies; when it has none left, the same happens with 429.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  room: ArrivingBytes | null = null,
): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? "0");
  if (declared > limit) return Promise.reject(tooLarge(request, response, limit));
  if (request.headers.expect !== undefined) response.writeContinue();
  const body = collect(request, response, limit, room);
  const coding = request.headers["content-encoding"];
  if (coding === undefined || coding === "identity") return body;
  return body.then((packed) => unpack(coding, packed, limit, request, response));
}

function collect(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  room: ArrivingBytes | null,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const share = room?.open() ?? null;
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (): void => {
      clearTimeout(idle);
      share?.close();
      request.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
    };
    const onIdle = (): void => {
      done();
      response.shouldKeepAlive = false;
      reject(new GatewayError("request_timeout", `The body stopped arriving for ${IDLE_MS / 1_000} s.`));
    };
    // Counts from the head on: a body that never begins is as silent as one that stops.
    const idle = setTimeout(onIdle, IDLE_MS);
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      try {
        if (size > limit) throw largerThan(limit);
        share?.add(chunk.length);
      } catch (error) {
        done();
        request.pause();
        closeBehind(request, response);
        reject(error);
        return;
      }
      chunks.push(chunk);
      idle.refresh();
    };
    const onEnd = (): void => {
      done();
      const only = chunks[0];
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size));
    };
    const onBroken = (): void => {
      done();
      reject(new GatewayError("invalid_body", "The connection ended before the body was complete."));
    };
    request.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
  });
}

async function unpack(
  coding: string,
  body: Buffer,
  limit: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Buffer> {
  const name = coding.trim().toLowerCase();
  if (!Object.hasOwn(UNPACK, name)) {
    throw new GatewayError(
      "unsupported_media_type",
      `The Content-Encoding "${coding}" is not accepted. Use gzip, deflate, br, zstd or none.`,
    );
  }
  try {
    return await UNPACK[name as keyof typeof UNPACK](body, { maxOutputLength: limit });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(request, response, limit);
    throw new GatewayError("invalid_body", `The body is not valid ${name}.`, { cause: error });
  }
}

/** How long a client may take to read why its body is not. */
const FAREWELL_MS = 1_500;

/**
 * What is still on its way is not read, and once the answer is out, the connection goes: but not at once. A connection
 * that is closed on unread bytes is reset, and the client would see that instead of the answer (RFC 9112, 9.6).
 */
export function closeBehind(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  response.shouldKeepAlive = false;
  // Node reads on by itself behind an answer whose request nobody touched.
  request.read(0);
  request.pause();
  socket.destroySoon = () => {
    socket.end();
    const farewell = setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
    socket.once("close", () => clearTimeout(farewell));
  };
}

function tooLarge(request: IncomingMessage, response: ServerResponse, limit: number): GatewayError {
  closeBehind(request, response);
  return largerThan(limit);
}

function largerThan(limit: number): GatewayError {
  return new GatewayError("request_too_large", `The body is larger than ${Math.floor(limit / 1024 / 1024)} MiB.`);
}
