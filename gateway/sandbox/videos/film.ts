import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
} from "mediabunny";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Exchange, Route } from "../exchange.ts";
import { Failure } from "../fields.ts";
import { drawPicture, type PictureFormat } from "../images/picture.ts";
import { seedOf } from "../seed.ts";
import { FILM_SIZES } from "./sizes.ts";

/**
 * Pictures a second: what Ark and HappyHorse name (docs/providers/dashscope.md#happyhorse,
 * docs/providers/ark.md#video-tasks).
 */
export const RATE = 24;

/** All that a film is made from. */
export interface FilmPlan {
  /** Of one of `FILM_SIZES`: there is a sample of each. */
  readonly width: number;
  readonly height: number;
  /** Pictures; `RATE` of them a second. */
  readonly frames: number;
  /** Told in the film's own words about itself, so that films of two requests are not the same file. */
  readonly digits: string;
}

/**
 * A film as an MP4 file: the word SANDBOX, and a bar that crosses it every two seconds. A sample of that length, coded
 * once for each size (docs/decisions/2026-11-23-half-the-sandbox.md), is repeated until the film is as long as it is to
 * be. The same plan gives the same bytes. Others get their turn after every two seconds of film.
 */
export async function filmOf({ width, height, frames, digits }: FilmPlan): Promise<Buffer> {
  const { packets, decoderConfig } = await sampleOf(width, height);
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
  const track = new EncodedVideoPacketSource("avc");
  output.addVideoTrack(track, { frameRate: RATE });
  output.setMetadataTags({ title: "Postern sandbox", comment: digits });
  await output.start();
  for (let frame = 0; frame < frames; frame += 1) {
    const packet = packets[frame % packets.length];
    if (packet === undefined) throw new Error("a sample has no pictures");
    if (packet.type === "key") await nextTurn();
    await track.add(packet.clone({ timestamp: frame / RATE, duration: 1 / RATE }), { decoderConfig });
  }
  await output.finalize();
  return timeless(Buffer.from(target.buffer ?? new ArrayBuffer(0)));
}

interface Sample {
  readonly packets: readonly EncodedPacket[];
  readonly decoderConfig: VideoDecoderConfig;
}

async function sampleOf(width: number, height: number): Promise<Sample> {
  const { default: samples } = await import("./film-samples.json", { with: { type: "json" } });
  const file = (samples as Readonly<Record<string, string>>)[`${width}x${height}`] ?? "";
  const input = new Input({ source: new BufferSource(Buffer.from(file, "base64")), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  const decoderConfig = (await track?.getDecoderConfig()) ?? null;
  if (track === null || decoderConfig === null) throw new Error(`there is no sample of ${width}x${height}`);
  const packets: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet);
  return { packets, decoderConfig };
}

/** Without the moment at which it was made: the library writes it twice into each of three boxes. */
function timeless(file: Buffer): Buffer {
  for (const box of ["mvhd", "tkhd", "mdhd"]) {
    const at = file.indexOf(box, 0, "latin1") + 8;
    file.fill(0, at, at + 8);
  }
  return file;
}

const FILES = "/results/videos";
/** What a name holds is all that a file is made from. */
const NAME = /^([0-9a-f]{7})-(\d{2,4})x(\d{2,4})-(\d{1,4})\.(mp4|png)$/;
const LONGEST_FRAMES = 120 * RATE;

/** The address of a film, or of its last frame, below the provider that the request came to. */
export function filmAddress({ request }: Exchange, plan: FilmPlan, type: "mp4" | "png"): string {
  const provider = (request.url ?? "").split("/", 2)[1] ?? "";
  return `http://${request.headers.host ?? ""}/${provider}${FILES}/${plan.digits}-${plan.width}x${plan.height}-${plan.frames}.${type}`;
}

/** The addresses that answers name; like a provider's, they need no key. */
export const filmFiles: Route = {
  method: "GET",
  path: new RegExp(`^${FILES}/[^/]+$`),
  keyless: true,
  handle: async (exchange) => {
    const { plan, type } = fileAt(exchange.path.slice(FILES.length + 1));
    if (type === "mp4") return sendFile(exchange, await filmOf(plan), "video/mp4");
    await sendPicture(exchange, plan, "png");
  },
};

/** A picture for a film: of its size, and in the colours of its request. */
export async function sendPicture(exchange: Exchange, plan: FilmPlan, format: PictureFormat): Promise<void> {
  const { width, height, digits } = plan;
  sendFile(
    exchange,
    await drawPicture(seedOf(digits), { width, height, format, transparent: false }),
    `image/${format}`,
  );
}

/** Answers with a file, or with the part of it that is asked for: players seek by parts (RFC 9110, 14). */
export function sendFile({ request, response }: Exchange, bytes: Buffer, type: string): void {
  const headers = { "content-type": type, "accept-ranges": "bytes" };
  const part = partOf(request.headers.range, bytes.length);
  if (part === "none") {
    response.writeHead(416, { "content-range": `bytes */${bytes.length}`, "content-length": 0 }).end();
    return;
  }
  if (part === null) {
    response.writeHead(200, { ...headers, "content-length": bytes.length }).end(bytes);
    return;
  }
  const [from, to] = part;
  const content = bytes.subarray(from, to + 1);
  const range = `bytes ${from}-${to}/${bytes.length}`;
  response.writeHead(206, { ...headers, "content-length": content.length, "content-range": range }).end(content);
}

/** First and last byte; null for the whole, which is also the answer to what is not understood. */
function partOf(range: string | undefined, length: number): readonly [number, number] | "none" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? "") ?? [];
  if (first === "" && last === "") return null;
  const from = first === "" ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === "" || last === "" ? length - 1 : Math.min(length - 1, Number(last));
  return from <= to ? [from, to] : "none";
}

/** @throws Failure (404) for addresses that no answer has named. */
function fileAt(name: string): { plan: FilmPlan; type: string } {
  const [, digits = "", wide, high, count, type = ""] = NAME.exec(name) ?? [];
  const [width, height, frames] = [Number(wide), Number(high), Number(count)];
  const known = FILM_SIZES.some((size) => size.width === width && size.height === height);
  if (known && frames >= 1 && frames <= LONGEST_FRAMES) return { plan: { width, height, frames, digits }, type };
  throw new Failure(404, "The specified key does not exist.", { code: "NoSuchKey" });
}
