import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { UpstreamFailure } from "./failure.ts";
import type { BodySink } from "./transfer.ts";

/** Content codings that a vendor may use although we ask for none. */
const CODINGS = {
  gzip: { whole: promisify(zlib.gunzip), stream: zlib.createGunzip },
  "x-gzip": { whole: promisify(zlib.gunzip), stream: zlib.createGunzip },
  deflate: { whole: promisify(zlib.inflate), stream: zlib.createInflate },
  br: { whole: promisify(zlib.brotliDecompress), stream: zlib.createBrotliDecompress },
  zstd: { whole: promisify(zlib.zstdDecompress), stream: zlib.createZstdDecompress },
} as const;

export type Coding = keyof typeof CODINGS | "identity" | "unknown";

/** The one coding of an answer. A chain of codings is `unknown`: nobody needs it, and bombs are built of it. */
export function encodingOf(headers: IncomingHttpHeaders): Coding {
  const value = headers["content-encoding"];
  if (value === undefined || value === "") return "identity";
  const name = value.trim().toLowerCase();
  if (name === "identity") return "identity";
  return Object.hasOwn(CODINGS, name) ? (name as keyof typeof CODINGS) : "unknown";
}

/**
 * Decodes a whole body.
 * @throws UpstreamFailure `too_large` as soon as the output passes `limit` bytes, `malformed` when it does not decode.
 */
export async function decodeWhole(coding: Coding, body: Buffer, limit: number): Promise<Buffer> {
  if (coding === "identity") return body;
  if (coding === "unknown") throw unknownCoding();
  try {
    return await CODINGS[coding].whole(body, { maxOutputLength: limit });
  } catch (error) {
    const large =
      error instanceof RangeError ||
      (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE");
    throw large
      ? new UpstreamFailure("too_large", true, `the vendor's answer unpacks to more than ${limit} bytes`, error)
      : new UpstreamFailure("malformed", true, "the vendor's answer does not unpack", error);
  }
}

/** A sink that unpacks what it is given, and can be told to wait. */
export interface Unpacker extends BodySink {
  pause(): void;
  resume(): void;
  /** Unpacks no further. */
  stop(): void;
}

/**
 * Unpacks what it is given and passes it on to `sink`. While it is paused or full, the source is paused too, so a bomb
 * costs one buffer, not memory.
 */
export function decodeStream(
  coding: Exclude<Coding, "identity">,
  sink: BodySink,
  source: { pause(): void; resume(): void; abort(): void },
): Unpacker {
  if (coding === "unknown") {
    source.abort();
    const refuse = (): void => sink.onError(unknownCoding());
    return { onData() {}, onEnd: refuse, onError: refuse, pause() {}, resume() {}, stop() {} };
  }
  const unpacker = CODINGS[coding].stream({ chunkSize: 16_384 });
  let over = false;
  const finish = (act: () => void): void => {
    if (over) return;
    over = true;
    act();
  };
  unpacker.on("data", (chunk: Buffer) => {
    if (!over) sink.onData(chunk);
  });
  unpacker.on("end", () => finish(() => sink.onEnd()));
  unpacker.on("drain", () => source.resume());
  unpacker.on("error", (error) =>
    finish(() => {
      source.abort();
      sink.onError(new UpstreamFailure("malformed", true, "the vendor's stream does not unpack", error));
    }),
  );
  return {
    onData: (chunk) => {
      if (!over && !unpacker.write(chunk)) source.pause();
    },
    onEnd: () => unpacker.end(),
    onError: (failure) =>
      finish(() => {
        unpacker.destroy();
        sink.onError(failure);
      }),
    pause: () => unpacker.pause(),
    resume: () => unpacker.resume(),
    stop: () => unpacker.destroy(),
  };
}

function unknownCoding(): UpstreamFailure {
  return new UpstreamFailure("malformed", true, "the vendor's answer is packed in a way that Postern does not know");
}
