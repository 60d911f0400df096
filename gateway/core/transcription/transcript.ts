import type { TranscriptFormat } from "../../contract/transcription.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { parseSeconds } from "./transcription-units.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A segment of a transcript. Times are seconds from the start. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Absent without speaker recognition. */
  readonly speaker?: string;
}

/** A word as it was heard. */
export interface HeardWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly speaker?: string;
}

/** Transcript of a provider, in no format. */
export interface RecognizedSpeech {
  readonly text: string;
  /** Empty if unknown. */
  readonly language: string;
  readonly seconds: number;
  readonly segments: readonly Segment[];
  /** Null if not requested. */
  readonly words: readonly HeardWord[] | null;
}

/**
 * A document in OpenAI's words, for providers that write their own.
 * @param usage as OpenAI would write it
 */
export function transcriptDocument(speech: RecognizedSpeech, format: TranscriptFormat, usage: object): Fields {
  const { text, language, seconds, segments, words } = speech;
  switch (format) {
    case "verbose_json":
      return {
        task: "transcribe",
        language,
        duration: seconds,
        text,
        segments: segments.map(({ start, end, text: segmentText }, id) => ({ id, start, end, text: segmentText })),
        ...(words === null ? {} : { words: words.map(({ word, start, end }) => ({ word, start, end })) }),
        usage,
      };
    case "diarized_json":
      return { task: "transcribe", duration: seconds, text, segments: segments.map(toDiarizedSegment), usage };
    default:
      return { text, usage };
  }
}

function toDiarizedSegment({ start, end, text, speaker = "A" }: Segment, index: number): Fields {
  return { type: "transcript.text.segment", id: `seg_${index}`, start, end, text, speaker };
}

/** Max length of subtitle segments built from words: two lines, readable at a glance. */
const LONGEST_SEGMENT = { characters: 84, seconds: 7 };
const SENTENCE_END = /[.!?。！？…]["'”’)]*$/;

/** Groups words into segments, which end with a sentence, a speaker change or the max length. */
export function groupWords(words: readonly HeardWord[]): readonly Segment[] {
  const segments: Segment[] = [];
  let open: Segment | null = null;
  for (const word of words) {
    const text = word.word.trim();
    if (text === "") continue;
    const longer: Segment | null = open === null ? null : withWord(open, word, text);
    if (open !== null && longer === null) segments.push(open);
    const part: Segment = longer ?? toSegment(word, text);
    if (SENTENCE_END.test(text)) segments.push(part);
    open = SENTENCE_END.test(text) ? null : part;
  }
  return open === null ? segments : [...segments, open];
}

function toSegment({ start, end, speaker }: HeardWord, text: string): Segment {
  return { start, end, text, ...(speaker === undefined ? {} : { speaker }) };
}

/** Null if the word starts a new part. */
function withWord(part: Segment, { end, speaker }: HeardWord, trimmed: string): Segment | null {
  const text = `${part.text} ${trimmed}`;
  const isLong = text.length > LONGEST_SEGMENT.characters || end - part.start > LONGEST_SEGMENT.seconds;
  return isLong || part.speaker !== speaker ? null : { ...part, end, text };
}

/** Returns the segments of a document in OpenAI's format; a single one if it has none. */
export function readSegments(document: Fields): readonly Segment[] {
  const listed = asList(document["segments"]);
  const segments = listed.flatMap((item): Segment[] => {
    if (!isRecord(item) || typeof item["text"] !== "string") return [];
    const start = parseSeconds(item["start"]);
    const end = parseSeconds(item["end"]);
    return start === null || end === null ? [] : [{ start, end: Math.max(start, end), text: item["text"] }];
  });
  const text = readText(document);
  if (segments.length > 0 || text.trim() === "") return segments;
  return [{ start: 0, end: parseSeconds(document["duration"]) ?? 0, text }];
}

export function readText({ text }: Fields): string {
  return typeof text === "string" ? text : "";
}

/** Formats a document for a client that did not request JSON; null if the document itself is the response. */
export function writtenTranscript(document: Fields, format: TranscriptFormat): string | null {
  switch (format) {
    case "text":
      return `${readText(document)}\n`;
    case "srt":
      return readSegments(document).map(srtCue).join("\n");
    case "vtt":
      return `WEBVTT\n\n${readSegments(document).map(vttCue).join("\n")}`;
    default:
      return null;
  }
}

function srtCue({ start, end, text }: Segment, index: number): string {
  return `${index + 1}\n${formatTime(start, ",")} --> ${formatTime(end, ",")}\n${oneBlock(text)}\n`;
}

/** `&` and `<` start markup in WebVTT (https://www.w3.org/TR/webvtt1/#syntax, 4.2.2). */
function vttCue({ start, end, text }: Segment): string {
  const escaped = oneBlock(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `${formatTime(start, ".")} --> ${formatTime(end, ".")}\n${escaped}\n`;
}

/** A blank line ends a subtitle, and an arrow is a time's. */
const oneBlock = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? "\n" : blanks))
    .replaceAll("-->", "->");

/** `00:01:02,345` */
function formatTime(seconds: number, point: "," | "."): string {
  const ms = Math.round(seconds * 1_000);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const clock = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}`;
  return `${clock}${point}${String(ms % 1_000).padStart(3, "0")}`;
}

/** Converts a complete transcript to stream events. */
export function transcriptEvents(document: Fields, format: TranscriptFormat): readonly Fields[] {
  const { logprobs, languages, usage } = document;
  const text = readText(document);
  const known = {
    ...(logprobs == null ? {} : { logprobs }),
    ...(languages == null ? {} : { languages }),
    ...(usage == null ? {} : { usage }),
  };
  const segments = format === "diarized_json" ? asList(document["segments"]) : [];
  return [
    ...(text === "" ? [] : [{ type: "transcript.text.delta", delta: text }]),
    ...segments.filter(isRecord),
    { type: "transcript.text.done", text, ...known },
  ];
}
