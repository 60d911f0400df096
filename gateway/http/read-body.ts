import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { GatewayError } from "../core/errors.ts";

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
 */
export function readBody(request: IncomingMessage, response: ServerResponse, limit: number): Promise<Buffer> {
  const declared = Number(request.headers["content-length"] ?? "0");
  if (declared > limit) return Promise.reject(tooLarge(request, response, limit));
  if (request.headers.expect !== undefined) response.writeContinue();
  const body = collect(request, response, limit);
  const coding = request.headers["content-encoding"];
  if (coding === undefined || coding === "identity") return body;
  return body.then((packed) => unpack(coding, packed, limit, request, response));
}

function collect(request: IncomingMessage, response: ServerResponse, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (): void => {
      clearTimeout(idle);
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
      if (size > limit) {
        done();
        request.pause();
        reject(tooLarge(request, response, limit));
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

function tooLarge(request: IncomingMessage, response: ServerResponse, limit: number): GatewayError {
  response.shouldKeepAlive = false;
  // What is still on its way is not read: once the answer is out, the connection goes.
  response.once("finish", () => request.socket.destroySoon());
  return new GatewayError("request_too_large", `The body is larger than ${Math.floor(limit / 1024 / 1024)} MiB.`);
}
