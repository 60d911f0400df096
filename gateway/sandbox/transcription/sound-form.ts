import { soundFile } from "../../core/transcription/sound-file.ts";
import { measureSound } from "../../store/media/media-container.ts";
import type { Exchange } from "../exchange.ts";
import { Failure } from "../failure.ts";
import { type Seed, createSeed } from "../seed.ts";

/** A form with a sound. */
export interface SoundForm {
  /** Returns the last value of a field; undefined if missing. */
  readonly text: (name: string) => string | undefined;
  readonly list: (name: string) => readonly string[];
  readonly seconds: number;
  /** Seed of the audio alone, so that its transcript is the same in all requests. */
  readonly seed: Seed;
}

/** @throws Failure (400) for a sound of unknown length: it cannot be transcribed either */
export async function soundForm({ headers, body }: Pick<Exchange, "headers" | "body">): Promise<SoundForm> {
  const type = headers["content-type"] ?? "";
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const list = (name: string): string[] => form.getAll(name).filter((value) => typeof value === "string");
  const file = form.get("file");
  const bytes = file instanceof File ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
  const seconds = await getSeconds(bytes);
  if (seconds === null) {
    throw new Failure(400, "Audio file might be corrupted or unsupported.", { param: "file", code: "invalid_value" });
  }
  return { text: (name) => list(name).at(-1), list, seconds, seed: createSeed(bytes) };
}

async function getSeconds(bytes: Buffer): Promise<number | null> {
  try {
    return await measureSound(soundFile(bytes, "", "file").bytes);
  } catch {
    return null;
  }
}
