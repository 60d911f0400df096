import * as z from "zod";
import type { JobContext } from "../calls/jobs.ts";

/** Transcript that a call returned. */
export interface Transcript {
  /** The text, or the subtitles as they are. */
  readonly text: string;
  /** Empty if no times were requested. */
  readonly segments: readonly TranscriptSegment[];
  /** Whether `text` is shown verbatim, line by line. */
  readonly plain: boolean;
}

export interface TranscriptSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly speaker?: string | undefined;
}

const documentSchema = z.looseObject({
  text: z.string(),
  segments: z
    .array(z.looseObject({ start: z.number(), end: z.number(), text: z.string(), speaker: z.string().optional() }))
    .optional(),
});

/** Reads a response of any format. */
export async function readTranscript(response: Response, _context: JobContext): Promise<Transcript> {
  if (response.headers.get("content-type")?.startsWith("application/json") !== true) {
    return { text: (await response.text()).trim(), segments: [], plain: true };
  }
  const { text, segments = [] } = documentSchema.parse(await response.json());
  return { text, segments, plain: false };
}

/** `1:02.3` */
export function formatTime(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const minutes = Math.floor(tenths / 600);
  return `${minutes}:${((tenths % 600) / 10).toFixed(1).padStart(4, "0")}`;
}
