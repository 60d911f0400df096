import type { SpeechRequest } from "../../contract/speech.ts";
import { characterCount, isLongerThan } from "../../lib/characters.ts";
import { redact } from "../../lib/redact.ts";
import { GatewayError } from "../errors.ts";

/** OpenAI's, which the specification calls those of the common chat-API style (docs/specification.md#speech). */
export const COMMON_VOICES = [
  "alloy",
  "ash",
  "ballad",
  "coral",
  "echo",
  "fable",
  "nova",
  "onyx",
  "sage",
  "shimmer",
  "verse",
  "marin",
  "cedar",
] as const;

/** Inputs that a speech model accepts. */
export interface SpeechRules {
  /** Names in the provider's spelling. */
  readonly voices: readonly string[];
  readonly defaultVoice: string;
  /** Common voices that the model lacks, which are replaced by its default voice. */
  readonly replacedVoices: readonly string[];
  /** Whether `{id}` names a voice that the provider made for its customer. */
  readonly customVoices: boolean;
  /** Values of `response_format`, the default first. */
  readonly formats: readonly string[];
  /** Format of all responses, regardless of `response_format`. */
  readonly fixedFormat?: string;
  /** Unicode characters of one input. */
  readonly maxCharacters: number;
  /** False: `instructions` are dropped, because the provider has nothing that follows them. */
  readonly instructions: boolean;
  /** Null: `speed` has no effect. */
  readonly speed: { readonly least: number; readonly most: number } | null;
  /** Whether the provider itself makes events of `stream_format: "sse"`; otherwise Postern does. */
  readonly events: boolean;
  /** Number of characters that an ideograph is billed as. */
  readonly ideographCounts: number;
}

/** A speech request after its model's rules were applied. */
export interface RuledSpeech {
  readonly text: string;
  /** A voice that the model has, in its spelling; null if the provider chooses. */
  readonly voice: string | { readonly id: string } | null;
  readonly format: string;
  /** Null if not given, or if the model does not take any. */
  readonly instructions: string | null;
  /** Source of the events of `stream_format: "sse"`, which the client wants instead of bytes; null when it wants bytes. */
  readonly events: "provider" | "postern" | null;
  /** The client's body, for providers of the common dialect. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Default of the common dialect (docs/providers/openai.md#speech). */
const DEFAULT_FORMAT = "mp3";

/**
 * Applies the specification's rules of `POST /v1/audio/speech`.
 * @param rules null for models that only a provider's list knows: then the provider decides.
 * @throws GatewayError invalid_value, unsupported_value.
 */
export function applySpeechRules(body: SpeechRequest, id: string, rules: SpeechRules | null): RuledSpeech {
  const instructions = body.instructions == null || body.instructions.trim() === "" ? null : body.instructions;
  if (rules === null) {
    return {
      text: body.input,
      voice: body.voice ?? null,
      format: body.response_format ?? DEFAULT_FORMAT,
      instructions,
      events: body.stream_format === "sse" ? "provider" : null,
      body,
    };
  }
  checkLength(body.input, id, rules);
  checkSpeed(body.speed ?? null, rules);
  return {
    text: body.input,
    voice: chooseVoice(body.voice ?? null, id, rules),
    format: chooseFormat(body.response_format ?? null, id, rules),
    instructions: rules.instructions ? instructions : null,
    ...chooseEvents(body, rules),
  };
}

function checkLength(text: string, id: string, { maxCharacters }: SpeechRules): void {
  if (!isLongerThan(text, maxCharacters)) return;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for 'input': a text of ${characterCount(text)} characters; ${id} takes at most ${maxCharacters}. Split the text at the ends of sentences, make one call for each part and join the sound.`,
    { param: "input" },
  );
}

function checkSpeed(speed: number | null, rules: SpeechRules): void {
  if (speed === null || rules.speed === null) return;
  const { least, most } = rules.speed;
  if (speed >= least && speed <= most) return;
  throw new GatewayError(
    "invalid_value",
    `Invalid value for 'speed': ${speed}; expected a number from ${least} to ${most}.`,
    { param: "speed" },
  );
}

/**
 * Returns one of the model's voices in its own spelling, ignoring case; the default one for none and for common voices
 * of others.
 */
function chooseVoice(voice: SpeechRequest["voice"] | null, id: string, rules: SpeechRules): RuledSpeech["voice"] {
  if (voice == null) return rules.defaultVoice;
  if (typeof voice === "object" && rules.customVoices) return { id: voice.id };
  const name = typeof voice === "object" ? voice.id : voice;
  const same = name.trim().toLowerCase();
  const own = rules.voices.find((voice) => voice.toLowerCase() === same);
  if (own !== undefined) return own;
  if (rules.replacedVoices.includes(same)) return rules.defaultVoice;
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value for 'voice': ${shown(name)}. ${id} has the voices ${rules.voices.join(", ")}.`,
    { param: "voice" },
  );
}

function chooseFormat(requestedFormat: string | null, id: string, rules: SpeechRules): string {
  if (rules.fixedFormat !== undefined) return rules.fixedFormat;
  const format = requestedFormat ?? rules.formats[0] ?? DEFAULT_FORMAT;
  if (rules.formats.includes(format)) return format;
  throw unsupportedFormat(format, id, rules.formats);
}

/** The error for a format that a model or its provider does not have. */
export function unsupportedFormat(format: string, id: string, formats: readonly string[]): GatewayError {
  return new GatewayError(
    "unsupported_value",
    `Unsupported value for 'response_format': ${shown(format)}. ${id} answers with ${formats.join(" or ")}.`,
    { param: "response_format" },
  );
}

function chooseEvents(body: SpeechRequest, rules: SpeechRules): Pick<RuledSpeech, "events" | "body"> {
  if (body.stream_format !== "sse") return { events: null, body };
  if (rules.events) return { events: "provider", body };
  // A provider without events returns bytes.
  const { stream_format: _, ...rest } = body;
  return { events: "postern", body: rest };
}

const LONGEST_SHOWN = 60;

function shown(value: string): string {
  const text = redact(value.slice(0, 4 * LONGEST_SHOWN));
  return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
}
