import { createMp3Encoder } from "wasm-media-encoders/esnext";
import type { WasmMediaEncoder } from "wasm-media-encoders/esnext";

/** An instance of LAME. What `encode` and `finalize` return is overwritten by the next call. */
export type Lame = WasmMediaEncoder<"audio/mpeg">;

/** Compiles LAME; some milliseconds. In a file of its own, so that only who needs MP3 loads its 130 KB. */
export function createLame(): Promise<Lame> {
  return createMp3Encoder();
}
