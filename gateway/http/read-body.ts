import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { GatewayError } from "../core/errors.ts";
import { giveBack } from "../lib/body-memory.ts";
import { ZSTD_WINDOW } from "../lib/zstd-window.ts";
import type { BodyShare } from "./body-room.ts";
import type { GuardedResponse } from "./guarded-response.ts";

/** Bytes above which bodies are assembled while they arrive. */
const LARGE_BYTES = 8 * 1024 * 1024;
/** Chunk size of an unpacker: with smaller ones malloc keeps twice as much after a burst of large bodies. */
const CHUNK = { chunkSize: 1024 * 1_024 };

const UNPACKERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(CHUNK),
  deflate: () => zlib.createInflate(CHUNK),
  br: () => zlib.createBrotliDecompress(CHUNK),
  zstd: () => zlib.createZstdDecompress({ ...CHUNK, params: ZSTD_WINDOW }),
};

/** How much a body may take. */
export interface BodyLimits {
  /** Bytes, as sent and unpacked. */
  readonly bytes: number;
  readonly share: BodyShare;
  /** Bytes of memory per byte of the body until its call ends. */
  readonly cost: number;
}

/**
 * Reads and decompresses a request's whole body. It stops reading once the body is refused; the response then closes
 * the connection.
 * @throws GatewayError request_too_large, concurrency_limit_exceeded, unsupported_media_type, invalid_body,
 * request_timeout.
 */
export function readBody(request: IncomingMessage, response: GuardedResponse, limits: BodyLimits): Promise<Buffer> {
  const { expect, "content-length": declared = "0", "content-encoding": coding = "identity" } = request.headers;
  if (Number(declared) > limits.bytes) throw largerThan(limits.bytes);
  const name = coding.trim().toLowerCase();
  const makeUnpacker = Object.hasOwn(UNPACKERS, name) ? UNPACKERS[name] : undefined;
  if (makeUnpacker === undefined && name !== "identity") throw unknownCoding(coding);
  if (expect?.toLowerCase() === "100-continue") response.writeContinue();
  const body = new Body(limits, request.headers["content-length"] === undefined ? null : Number(declared));
  const arrived = arrive(request, response, body);
  if (makeUnpacker === undefined) return arrived;
  return arrived.then((packed) =>
    limits.share.runInOrder(() => unpack(packed, makeUnpacker(), name, limits, response)),
  );
}

/** A growing body with a size limit. */
class Body {
  readonly #limits: BodyLimits;
  readonly #expected: number | null;
  #chunks: Buffer[] = [];
  #size = 0;
  #whole: Buffer | null = null;

  /** @param expected its length, if known */
  constructor(limits: BodyLimits, expected: number | null) {
    this.#limits = limits;
    this.#expected = expected;
  }

  /** @throws GatewayError */
  add(chunk: Buffer): void {
    const { bytes, share, cost } = this.#limits;
    const at = this.#size;
    this.#size += chunk.length;
    if (this.#size > bytes) throw largerThan(bytes);
    share.add(chunk.length * cost);
    if (at >= LARGE_BYTES && this.#expected !== null) this.#fill(chunk, at, this.#expected);
    else this.#chunks.push(chunk);
  }

  whole(): Buffer {
    if (this.#whole !== null) return this.#whole;
    const [only] = this.#chunks;
    if (this.#chunks.length === 1 && only !== undefined) return only;
    const whole = Buffer.concat(this.#chunks, this.#size);
    for (const chunk of this.#chunks) giveBack(chunk);
    return whole;
  }

  /** Allocates one buffer early, because joining chunks at the end would hold them in memory twice. */
  #fill(chunk: Buffer, at: number, length: number): void {
    if (this.#whole === null) {
      this.#whole = Buffer.allocUnsafeSlow(length);
      let end = 0;
      for (const early of this.#chunks) {
        end += early.copy(this.#whole, end);
        giveBack(early);
      }
      this.#chunks = [];
    }
    chunk.copy(this.#whole, at);
    giveBack(chunk);
  }
}

function arrive(request: IncomingMessage, response: GuardedResponse, body: Body): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      response.onSlowBody = null;
      request.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
    };
    const fail = (error: unknown): void => {
      done();
      request.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      try {
        body.add(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = (): void => {
      done();
      resolve(body.whole());
    };
    const onBroken = (): void => fail(brokenOff());
    // Not a closure created here, which V8 would promote to the old generation (docs/decisions/memory.md).
    response.onSlowBody = fail;
    request.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
  });
}

/** Counts while decompressing: a bomb is stopped at the limit, and costs no more than what was counted. */
async function unpack(
  packed: Buffer,
  unpacker: Transform,
  name: string,
  limits: BodyLimits,
  response: GuardedResponse,
): Promise<Buffer> {
  const body = new Body(limits, null);
  try {
    // The client may have left while others were unpacked.
    if (response.destroyed) throw brokenOff();
    unpacker.end(packed);
    for await (const chunk of unpacker) body.add(chunk as Buffer);
    return body.whole();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError("invalid_body", `The body is not valid ${name}.`, { cause: error });
  } finally {
    unpacker.destroy();
  }
}

function brokenOff(): GatewayError {
  return new GatewayError("invalid_body", "The connection ended before the body was complete.");
}

function unknownCoding(coding: string): GatewayError {
  return new GatewayError(
    "unsupported_media_type",
    `The Content-Encoding "${coding.slice(0, 100)}" is not accepted. Use gzip, deflate, br, zstd or none.`,
  );
}

function largerThan(limit: number): GatewayError {
  return new GatewayError("request_too_large", `The body is larger than ${Math.floor(limit / 1024 / 1024)} MiB.`);
}
