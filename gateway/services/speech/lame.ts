import { createMp3Encoder } from "wasm-media-encoders/esnext";
import type { WasmMediaEncoder } from "wasm-media-encoders/esnext";

/** An instance of LAME. What `encode` and `finalize` return is overwritten by the next call. */
export type Lame = WasmMediaEncoder<"audio/mpeg">;

/** Compiles LAME in a few milliseconds. A separate module, so that its 130 KB are loaded only for MP3. */
export function createLame(): Promise<Lame> {
  return createMp3Encoder();
}
