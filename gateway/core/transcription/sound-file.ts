import { GatewayError } from "../errors.ts";
import { isoSeconds, matroskaSeconds } from "../media/container-duration.ts";
import { plainFileName } from "../media/file-name.ts";
import { adtsSeconds, flacSeconds, mp3Seconds, oggSeconds, wavSeconds } from "../media/frame-duration.ts";
import { TYPE_BYTES, findMediaType } from "../media/media-type.ts";

/** An uploaded audio file after inspection. */
export interface SoundFile {
  /** Field that carried it, for messages. */
  readonly field: string;
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly fileName: string;
}

/** A sound with its length in seconds; null if unknown. */
export interface MeasuredSound extends SoundFile {
  readonly seconds: number | null;
}

interface SoundType {
  readonly mediaType: string;
  /** File extensions that providers accept, the usual one first (from OpenAI's speech to text guide). */
  readonly endings: readonly [string, ...string[]];
  readonly seconds: (file: Buffer) => number | null;
}

const ISO: SoundType = { mediaType: "audio/mp4", endings: ["mp4", "m4a"], seconds: isoSeconds };
const MATROSKA: SoundType = { mediaType: "audio/webm", endings: ["webm"], seconds: matroskaSeconds };

/** Keyed by the extension that `findMediaType` returns. */
const TYPES: Readonly<Record<string, SoundType>> = {
  wav: { mediaType: "audio/wav", endings: ["wav"], seconds: wavSeconds },
  mp3: { mediaType: "audio/mpeg", endings: ["mp3", "mpga", "mpeg"], seconds: mp3Seconds },
  ogg: { mediaType: "audio/ogg", endings: ["ogg", "oga"], seconds: oggSeconds },
  flac: { mediaType: "audio/flac", endings: ["flac"], seconds: flacSeconds },
  aac: { mediaType: "audio/aac", endings: ["aac"], seconds: adtsSeconds },
  m4a: { ...ISO, endings: ["m4a", "mp4"] },
  mp4: ISO,
  webm: MATROSKA,
};

/** Type for sounds of an unknown kind, which their provider has to judge. */
const UNKNOWN: SoundType = { mediaType: "application/octet-stream", endings: ["bin"], seconds: () => null };

/**
 * Detects the type of an uploaded file by its head, and its name for providers.
 * @throws GatewayError (400) for an empty file and for certain non-audio: pictures, text
 */
export function soundFile(bytes: Buffer, fileName: string, field: string): SoundFile {
  if (bytes.length === 0) throw refuseFile(field, "is empty");
  const head = bytes.subarray(0, TYPE_BYTES);
  const known = findMediaType(head);
  if (known?.kind === "image") throw refuseFile(field, `is a picture (${known.type})`);
  if (known === null && isText(head)) throw refuseFile(field, "is a text");
  const type = soundType(head);
  const given = /\.(\w{1,8})$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
  const ending = type === UNKNOWN ? given || UNKNOWN.endings[0] : chooseEnding(type, given);
  return {
    field,
    bytes,
    mediaType: type.mediaType,
    fileName: plainFileName(fileName, "sound", ending),
  };
}

/** Measures a sound: work in proportion to its size. @returns null if its length is unknown */
export const soundSeconds = (bytes: Buffer): number | null => soundType(bytes.subarray(0, TYPE_BYTES)).seconds(bytes);

const soundType = (head: Buffer): SoundType => TYPES[findMediaType(head)?.extension ?? ""] ?? otherType(head);

function chooseEnding({ endings }: SoundType, given: string): string {
  return endings.includes(given) ? given : endings[0];
}

/** Brands and kinds of containers that the library does not keep. */
function otherType(head: Buffer): SoundType {
  if (head.toString("latin1", 4, 8) === "ftyp") return ISO;
  return head.length >= 4 && head.readUInt32BE(0) === 0x1a_45_df_a3 ? MATROSKA : UNKNOWN;
}

/** Detects text that was uploaded by mistake (an HTML page, a JSON error). The head may end within a character. */
function isText(head: Buffer): boolean {
  for (const byte of head) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) return false;
  return !head
    .toString("utf8")
    .replace(/\uFFFD{1,3}$/, "")
    .includes("\uFFFD");
}

function refuseFile(field: string, why: string): GatewayError {
  return new GatewayError(
    "invalid_value",
    `Unsupported audio format: the file in '${field}' ${why}. Send a FLAC, MP3, MP4, M4A, AAC, Ogg, WAV or WebM file with sound.`,
    { param: field },
  );
}
