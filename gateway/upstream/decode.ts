import zlib from "node:zlib";
import { ZSTD_WINDOW } from "../lib/zstd-window.ts";
import { UpstreamFailure } from "./failure.ts";

/** Takes a body as it arrives. Exactly one of `onEnd` and `onError` is called, last. */
export interface BodySink {
  onData(chunk: Buffer): void;
  onEnd(): void;
  onError(failure: UpstreamFailure): void;
}

const CHUNK = { chunkSize: 16 * 1_024 };

/** Content codings that a provider may use although none is requested. */
const CODINGS = {
  gzip: () => zlib.createGunzip(CHUNK),
  "x-gzip": () => zlib.createGunzip(CHUNK),
  deflate: () => zlib.createInflate(CHUNK),
  br: () => zlib.createBrotliDecompress(CHUNK),
  zstd: () => zlib.createZstdDecompress({ ...CHUNK, params: ZSTD_WINDOW }),
} as const;

export type Coding = keyof typeof CODINGS | "identity" | "unknown";

/** The one coding that a `content-encoding` names. A chain of codings is `unknown`: no one needs it, and bombs are built of it. */
export function getEncoding(value: string | undefined): Coding {
  if (value === undefined) return "identity";
  const named = value.split(",").map((name) => name.trim().toLowerCase());
  const [name, ...others] = named.filter((each) => each !== "" && each !== "identity");
  if (name === undefined) return "identity";
  return others.length === 0 && Object.hasOwn(CODINGS, name) ? (name as keyof typeof CODINGS) : "unknown";
}

/** A sink that decompresses its input, and can be paused. */
export interface Unpacker extends BodySink {
  pause(): void;
  resume(): void;
  /** Unpacks no further. */
  stop(): void;
}

/**
 * Decompresses data and forwards it to `sink`. While that is paused or full, the source is paused too, so a bomb costs
 * one buffer.
 * @param mostPacked max compressed bytes, as a long compressed body can decompress to nothing.
 */
export function decodeStream(
  coding: Exclude<Coding, "identity">,
  sink: BodySink,
  source: { pause(): void; resume(): void; abort(): void },
  mostPacked: number,
): Unpacker {
  if (coding === "unknown") {
    source.abort();
    const refuse = (): void => sink.onError(unknownCoding());
    return { onData() {}, onEnd: refuse, onError: refuse, pause() {}, resume() {}, stop() {} };
  }
  const unpacker = CODINGS[coding]();
  let over = false;
  let packed = 0;
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
  const fail = (failure: UpstreamFailure): void =>
    finish(() => {
      source.abort();
      sink.onError(failure);
    });
  unpacker.on("error", (error) =>
    fail(new UpstreamFailure("malformed", true, "the provider's stream does not unpack", error)),
  );
  return {
    onData: (chunk) => {
      packed += chunk.length;
      if (packed > mostPacked) return fail(tooLarge(mostPacked));
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

export function tooLarge(limit: number): UpstreamFailure {
  return new UpstreamFailure("too_large", true, `the response is larger than ${limit} bytes`);
}

function unknownCoding(): UpstreamFailure {
  return new UpstreamFailure(
    "malformed",
    true,
    "the provider's response is encoded in a way that Postern does not know",
  );
}
