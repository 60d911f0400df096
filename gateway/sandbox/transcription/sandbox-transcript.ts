import type { HeardWord, Segment } from "../../core/transcription/transcript.ts";
import type { Seed } from "../seed.ts";

/** The sandbox's transcript: synthetic words, spread over the audio's real duration. */
export interface SandboxTranscript {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly words: readonly HeardWord[];
}

/** Approximate seconds per sentence. */
const SENTENCE_SECONDS = 4;
/** Hours of sound are not written down to the end. */
const MOST_SENTENCES = 2_000;

const SENTENCES = [
  "The heron stands in the shallow water and does not move.",
  "A small boat comes down the river with its lights on.",
  "Somebody counts the steps from the gate to the door.",
  "The kettle whistles, and the radio plays on in the next room.",
  "Rain falls on the roof until late in the evening.",
  "The train leaves at seven, so we meet at half past six.",
  "Two clocks in the hall tell two different times.",
] as const;

/** Returns the same transcript for the same sound. The first sentence names the sandbox, the others depend on the sound. */
export function createSandboxTranscript(seconds: number, seed: Seed): SandboxTranscript {
  const count = Math.min(MOST_SENTENCES, Math.max(1, Math.round(seconds / SENTENCE_SECONDS)));
  const length = seconds / count;
  const first = `Postern's sandbox heard ${seconds.toFixed(1)} seconds of sound and wrote down words of its own.`;
  const segments = Array.from({ length: count }, (_, index): Segment => ({
    start: roundSeconds(index * length),
    end: roundSeconds((index + 1) * length),
    text: index === 0 ? first : (SENTENCES[seed.number(`sentence ${index}`, SENTENCES.length)] ?? SENTENCES[0]),
    speaker: index % 2 === 0 ? "A" : "B",
  }));
  return { text: segments.map(({ text }) => text).join(" "), segments, words: segments.flatMap(getWords) };
}

/** Durations of words are proportional to their letters. */
function getWords({ start, end, text, speaker }: Segment): readonly HeardWord[] {
  const words = text.split(" ");
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  let before = 0;
  return words.map((word) => {
    const from = start + ((end - start) * before) / letters;
    before += word.length;
    const to = start + ((end - start) * before) / letters;
    return { word, start: roundSeconds(from), end: roundSeconds(to), ...(speaker === undefined ? {} : { speaker }) };
  });
}

const roundSeconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;
