import { setImmediate as nextTurn } from "node:timers/promises";
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
} from "mediabunny";
import { Mp4OutputFormat, Output, type EncodedPacket } from "mediabunny";

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
