/** Fields read from the first bytes of a picture. Nothing is decoded, so a decompression bomb is harmless. */
export interface PictureHeader {
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
  readonly width: number;
  readonly height: number;
  /** It has a channel, or colours, for transparency. */
  readonly alpha: boolean;
  readonly animated: boolean;
}

/** Max sections before the picture data in a valid header. */
export const MOST_SECTIONS = 10_000;

export function latin1(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}

/** A view for numbers of more than one byte. */
export function createView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
