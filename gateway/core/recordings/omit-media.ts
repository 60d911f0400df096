import { TYPE_BYTES, findMediaType } from "../media/media-type.ts";

/** Shorter runs are ids, hashes and signatures. */
const LEAST_BYTES = 1_024;
const QUOTE = 0x22;
const DATA_URL = /^data:([\w.+-]{1,60}\/[\w.+-]{1,60})?(?:;[\w.+-]+=[\w.+-]+)*;base64,/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Sample size for classifying a run by its start, middle and end, because media are megabytes. */
const SAMPLE = 128;

/**
 * Replaces base64 media in JSON or a stream of it by `data:TYPE;omitted,BYTES`. The text between two quotes is one
 * value, because base64 has neither quotes nor escapes.
 * @returns the same bytes if nothing was omitted
 */
export function omitMedia(bytes: Buffer): { readonly bytes: Buffer; readonly omitted: number } {
  if (bytes.length < LEAST_BYTES) return { bytes, omitted: 0 };
  const parts: Buffer[] = [];
  let copiedUntil = 0;
  let omitted = 0;
  let start = 0;
  while (start < bytes.length) {
    const quote = bytes.indexOf(QUOTE, start);
    const end = quote === -1 ? bytes.length : quote;
    const note = end - start < LEAST_BYTES ? null : chooseNote(bytes.subarray(start, end));
    if (note !== null) {
      parts.push(bytes.subarray(copiedUntil, start), Buffer.from(note));
      copiedUntil = end;
      omitted += 1;
    }
    start = end + 1;
  }
  return omitted === 0
    ? { bytes, omitted }
    : { bytes: Buffer.concat([...parts, bytes.subarray(copiedUntil)]), omitted };
}

/** Returns the text that replaces omitted media of this type and size. */
export const getOmission = (type: string, bytes: number): string => `data:${type};omitted,${bytes}`;

/** Null if it is not base64. */
function chooseNote(run: Buffer): string | null {
  const head = run.toString("latin1", 0, 256);
  const url = DATA_URL.exec(head);
  const from = url?.[0].length ?? 0;
  const length = run.length - from;
  if (length < LEAST_BYTES / 2 || !isBase64(run, from)) return null;
  const first = Buffer.from(run.toString("latin1", from, from + TYPE_BYTES), "base64");
  const type = url?.[1] ?? findMediaType(first)?.type ?? "application/octet-stream";
  const padding = run.toString("latin1", run.length - 2).split("=").length - 1;
  return getOmission(type, Math.floor((length * 3) / 4) - padding);
}

function isBase64(run: Buffer, from: number): boolean {
  const middle = Math.floor((from + run.length - SAMPLE) / 2);
  return (
    /^[A-Za-z0-9+/_-]+$/.test(run.toString("latin1", from, from + SAMPLE)) &&
    /^[A-Za-z0-9+/_-]+$/.test(run.toString("latin1", middle, middle + SAMPLE)) &&
    BASE64.test(run.toString("latin1", run.length - SAMPLE, run.length))
  );
}
