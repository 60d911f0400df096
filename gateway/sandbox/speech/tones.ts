import { SPEECH_PCM } from "../../core/speech/speech-wav.ts";
import { createSeed } from "../seed.ts";

/**
 * The sandbox's voice: a melody instead of words. Each syllable is one tone, rests separate words and sentences, and
 * each voice has its own pitch, so that start, progress and end of a text are audible.
 */
export interface Note {
  /** Hertz; 0 for a rest. */
  readonly pitch: number;
  readonly seconds: number;
}

const SYLLABLE_SECONDS = 0.16;
const IDEOGRAPH_SECONDS = 0.22;
const WORD_REST = 0.05;
const CLAUSE_REST = 0.2;
const SENTENCE_REST = 0.35;

/** Matches a syllable; an ideograph or kana; a run of digits; the end of a clause or sentence. */
const UNIT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\p{N}|[^\P{L}aeiouyAEIOUY]*[aeiouyAEIOUY]+(?:[^\P{L}aeiouyAEIOUY]+(?![\p{L}]))?|\p{L}+|[.!?。！？…]+|[,;:、，；：—]+|\s+/gu;
const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Semitones of the pentatonic scale, in which any two sound good together. */
const SCALE = [0, 2, 4, 7, 9, 12] as const;

const LOUDNESS = 0.3 * 0x7fff;
const FADE_SECONDS = 0.015;
const BYTES_PER_SAMPLE = 2;

/** A text that can be sung. */
export interface Melody {
  readonly notes: readonly Note[];
  /** Bytes of all samples. */
  readonly bytes: number;
  readonly seconds: number;
  /** Samples, about `seconds` of them at a time: 24 kHz, 16 bit, mono. */
  samples(seconds: number): Generator<Buffer, void, undefined>;
}

/** @param speed 1 is normal, 2 twice as fast. */
export function composeMelody(text: string, voice: string, speed = 1): Melody {
  const notes = composeNotes(text, voice, speed);
  const lengths = notes.map(({ seconds }) => Math.max(1, Math.round(seconds * SPEECH_PCM.sampleRate)));
  const count = lengths.reduce((sum, length) => sum + length, 0);
  return {
    notes,
    bytes: count * BYTES_PER_SAMPLE,
    seconds: count / SPEECH_PCM.sampleRate,
    *samples(seconds) {
      const enough = seconds * SPEECH_PCM.sampleRate;
      let waiting: Buffer[] = [];
      let length = 0;
      for (const [index, note] of notes.entries()) {
        waiting.push(tone(note.pitch, lengths[index] ?? 1));
        length += lengths[index] ?? 1;
        if (length < enough && index < notes.length - 1) continue;
        yield Buffer.concat(waiting);
        waiting = [];
        length = 0;
      }
    },
  };
}

function composeNotes(text: string, voice: string, speed: number): readonly Note[] {
  const seed = createSeed(voice.toLowerCase());
  const base = 130 + seed.number("height", 12) * 10;
  const notes = (text.match(UNIT) ?? []).map((unit): Note => {
    if (/^\s/.test(unit)) return { pitch: 0, seconds: WORD_REST / speed };
    if (/^[.!?。！？…]/.test(unit)) return { pitch: 0, seconds: SENTENCE_REST / speed };
    if (!/^[\p{L}\p{N}]/u.test(unit)) return { pitch: 0, seconds: CLAUSE_REST / speed };
    const step = SCALE[seed.number(unit.toLowerCase(), SCALE.length)] ?? 0;
    const seconds = IDEOGRAPHIC.test(unit) ? IDEOGRAPH_SECONDS : SYLLABLE_SECONDS;
    return { pitch: base * 2 ** (step / 12), seconds: seconds / speed };
  });
  // Text without letters (a smiley) is one tone, so that no file is without sound.
  if (!notes.some(({ pitch }) => pitch > 0)) notes.push({ pitch: base, seconds: SYLLABLE_SECONDS / speed });
  return notes;
}

/** A tone with two overtones, faded in and out so that it does not click. */
function tone(pitch: number, length: number): Buffer {
  const samples = Buffer.alloc(length * BYTES_PER_SAMPLE);
  if (pitch === 0) return samples;
  const fade = Math.min(length / 2, FADE_SECONDS * SPEECH_PCM.sampleRate);
  const step = (2 * Math.PI * pitch) / SPEECH_PCM.sampleRate;
  for (let index = 0; index < length; index += 1) {
    const loudness = LOUDNESS * Math.min(1, index / fade, (length - index) / fade);
    const wave = 0.7 * Math.sin(step * index) + 0.2 * Math.sin(2 * step * index) + 0.1 * Math.sin(3 * step * index);
    samples.writeInt16LE(Math.round(loudness * wave), index * BYTES_PER_SAMPLE);
  }
  return samples;
}
