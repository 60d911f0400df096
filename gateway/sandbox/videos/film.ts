import {
  BufferSource,
  BufferTarget,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from "mediabunny";
import { setImmediate as nextTurn } from "node:timers/promises";
import samples from "./film-samples.json" with { type: "json" };
import { RATE, type FilmPlan } from "./sizes.ts";

/**
 * A film as an MP4 file: the word SANDBOX, and a bar that crosses it every two seconds. A sample of that length,
 * encoded once per size (./sizes.ts), is repeated for the requested duration. The same plan gives the same bytes. It
 * yields after every two seconds of film.
 */
export async function getFilm({ width, height, frames, digits }: FilmPlan): Promise<Buffer> {
  const { packets, decoderConfig } = await getSample(width, height);
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

async function getSample(width: number, height: number): Promise<Sample> {
  const file = (samples as Readonly<Record<string, string>>)[`${width}x${height}`] ?? "";
  const input = new Input({ source: new BufferSource(Buffer.from(file, "base64")), formats: [MP4] });
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
