/** Kind of media; determines how a page displays the result. */
export type MediaKind = "image" | "audio" | "video";

export interface MediaType {
  readonly kind: MediaKind;
  /** Value of `Content-Type`. */
  readonly type: string;
  /** Extension of the file's name, without the dot. */
  readonly extension: string;
}

/** Everything that the library keeps. The extension names the type in file names and in the index. */
const TYPES = {
  png: { kind: "image", type: "image/png", extension: "png" },
  jpg: { kind: "image", type: "image/jpeg", extension: "jpg" },
  webp: { kind: "image", type: "image/webp", extension: "webp" },
  gif: { kind: "image", type: "image/gif", extension: "gif" },
  wav: { kind: "audio", type: "audio/wav", extension: "wav" },
  mp3: { kind: "audio", type: "audio/mpeg", extension: "mp3" },
  ogg: { kind: "audio", type: "audio/ogg", extension: "ogg" },
  flac: { kind: "audio", type: "audio/flac", extension: "flac" },
  aac: { kind: "audio", type: "audio/aac", extension: "aac" },
  m4a: { kind: "audio", type: "audio/mp4", extension: "m4a" },
  mp4: { kind: "video", type: "video/mp4", extension: "mp4" },
  webm: { kind: "video", type: "video/webm", extension: "webm" },
} as const satisfies Record<string, MediaType>;

/** Number of bytes at the start of a file that decide its type. A shorter file is judged by all of its bytes. */
export const TYPE_BYTES = 512;

/** @returns null for an extension that the library does not use. */
export function mediaTypeByExtension(extension: string): MediaType | null {
  return Object.hasOwn(TYPES, extension) ? TYPES[extension as keyof typeof TYPES] : null;
}

/**
 * Returns the type of a file by its first bytes. Declared types and names are ignored: HTML declared as an image is not
 * an image.
 * @param head the first `TYPE_BYTES` bytes
 * @returns null for types that the library does not store
 */
export function findMediaType(head: Uint8Array): MediaType | null {
  const at = (offset: number, text: string): boolean => latin1(head, offset, text.length) === text;
  if (at(0, "\x89PNG\r\n\x1a\n")) return TYPES.png;
  if (at(0, "\xff\xd8\xff")) return TYPES.jpg;
  if (at(0, "GIF87a") || at(0, "GIF89a")) return TYPES.gif;
  if (at(0, "RIFF") && at(8, "WEBP")) return TYPES.webp;
  if (at(0, "RIFF") && at(8, "WAVE")) return TYPES.wav;
  if (at(0, "OggS")) return TYPES.ogg;
  if (at(0, "fLaC")) return TYPES.flac;
  if (at(4, "ftyp")) return isoType(head);
  if (at(0, "\x1a\x45\xdf\xa3")) return latin1(head, 0, 64).includes("webm") ? TYPES.webm : null;
  if (at(0, "ID3")) return TYPES.mp3;
  return frameType(head);
}

const VIDEO_BRANDS = /^(?:isom|iso[2-9a]|mp4[12v]|avc1|av01|hvc1|hev1|dash|M4V |MSNV|3gp[4-9])$/;
const AUDIO_BRANDS = /^M4[AB] $/;

/** ISO files declare their type by brands; photographs (HEIC, AVIF) have one too, and are not stored. */
function isoType(head: Uint8Array): MediaType | null {
  const size = ((head[0] ?? 0) << 24) | ((head[1] ?? 0) << 16) | ((head[2] ?? 0) << 8) | (head[3] ?? 0);
  const brands = [latin1(head, 8, 4)];
  for (let offset = 16; offset + 4 <= Math.min(size, head.length); offset += 4) brands.push(latin1(head, offset, 4));
  const first = brands[0] ?? "";
  if (AUDIO_BRANDS.test(first)) return TYPES.m4a;
  if (/^(?:avif|avis|hei[cfmsx]|mif1|msf1)$/.test(first)) return null;
  return brands.some((brand) => VIDEO_BRANDS.test(brand)) ? TYPES.mp4 : null;
}

/** MPEG audio frames and AAC in ADTS start with the same eleven bits; the layer distinguishes them. */
function frameType(head: Uint8Array): MediaType | null {
  const [first = 0, second = 0, third = 0] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null;
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  if (layer === 0) return (second & 0xf0) === 0xf0 && ((third >> 2) & 15) < 13 ? TYPES.aac : null;
  const bitrate = third >> 4;
  const rate = (third >> 2) & 3;
  return layer === 1 && version !== 1 && bitrate !== 0 && bitrate !== 15 && rate !== 3 ? TYPES.mp3 : null;
}

function latin1(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}
