/** A sound that the user chose from this machine, or recorded. */
export interface Sound {
  readonly id: string;
  readonly name: string;
  readonly file: Blob;
  /** Duration of a recording made here; null if not measured. */
  readonly seconds: number | null;
}

/** docs/specification.md#keys-bodies-timeouts: 64 MiB a file. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/** Includes file extensions, because some systems have no type for these files. */
export const SOUND_TYPES = "audio/*,video/mp4,video/webm,.m4a,.ogg,.oga,.opus,.flac,.mp4,.webm";

export type Unheard = "large" | "type";

/** Returns the first audio file, or the reason why there is no such file. */
export function pickSound(files: readonly File[]): Sound | Unheard {
  const file = files.find(({ type }) => type === "" || /^(?:audio|video)\//.test(type));
  if (file === undefined) return "type";
  return file.size > LARGEST_BYTES ? "large" : { id: crypto.randomUUID(), name: file.name, file, seconds: null };
}
