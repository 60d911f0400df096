import type { TranscriptFormat, TranscriptionFields } from "../../contract/transcription.ts";
import { GatewayError } from "../errors.ts";
import type { SoundFile } from "./sound-file.ts";

const MIB = 1024 * 1024;

/** Inputs that a transcription model accepts at its owner. */
export interface TranscriptionRules {
  /** Formats that the model supports. Postern derives text and subtitles from `json` and `verbose_json`. */
  readonly formats: readonly TranscriptFormat[];
  /** Bytes of one file. */
  readonly most: number;
  /** Whether it follows a prompt. */
  readonly prompt: boolean;
  /** Whether it reports its confidence in each token. */
  readonly logprobs: boolean;
}

/** Task of a request: transcription, or translation to English. */
export type TranscriptionTask = "transcribe" | "translate";

/** A request after the rules of its model. */
export interface RuledTranscription {
  readonly task: TranscriptionTask;
  /** Format that the client receives. */
  readonly format: TranscriptFormat;
  /** Whether the client gets events. */
  readonly stream: boolean;
}

/** Formats that can be streamed; with others OpenAI ignores `stream`, and so does Postern. */
const STREAMED: ReadonlySet<TranscriptFormat> = new Set(["json", "text", "diarized_json"]);

/**
 * @param rules null if the provider decides: for models that only its list knows, and for those with borrowed names
 * @throws GatewayError (400, 413) that names the field
 */
export function applyTranscriptionRules(
  fields: TranscriptionFields,
  file: SoundFile,
  task: TranscriptionTask,
  id: string,
  rules: TranscriptionRules | null,
): RuledTranscription {
  const format = fields.response_format ?? "json";
  const names = fields.known_speaker_names?.length ?? 0;
  const references = fields.known_speaker_references?.length ?? 0;
  if (names !== references) {
    throw refuseParameter(
      "known_speaker_references",
      `There are ${names} names and ${references} sounds of speakers. Send one sound for each name, in the same order.`,
    );
  }
  if (rules !== null) checkModel(fields, file, format, id, rules);
  return { task, format, stream: fields.stream === true && STREAMED.has(format) };
}

function checkModel(
  fields: TranscriptionFields,
  { bytes, field }: SoundFile,
  format: TranscriptFormat,
  id: string,
  rules: TranscriptionRules,
): void {
  if (fields.include != null && fields.include.length > 0 && format !== "json") {
    throw refuseParameter("include", "Log probabilities are in the response_format json. Ask for that.");
  }
  if (!offersFormat(rules, format)) throw unsupportedTranscript(format, id, rules.formats);
  if (bytes.length > rules.most) {
    throw new GatewayError(
      "request_too_large",
      `${id} takes files of up to ${rules.most / MIB} MiB; this one has ${(bytes.length / MIB).toFixed(1)} MiB. Send it as MP3, M4A or Ogg, or in several parts.`,
      { param: field },
    );
  }
  if (!rules.prompt && fields.prompt != null && fields.prompt !== "") {
    throw new GatewayError("unsupported_parameter", `${id} follows no prompt. Leave it out.`, { param: "prompt" });
  }
  if (!rules.logprobs && (fields.include?.length ?? 0) > 0) {
    throw refuseParameter("include", `${id} tells no log probabilities. Leave it out.`);
  }
}

/** Whether a format can be given: itself, or written here of another one. */
export function offersFormat({ formats }: Pick<TranscriptionRules, "formats">, format: TranscriptFormat): boolean {
  return formats.includes(format) || formats.includes(chooseProviderFormat(format));
}

/** Returns the format to request from a provider: text is derived from JSON, which also reports usage. */
export function chooseProviderFormat(format: TranscriptFormat): TranscriptFormat {
  switch (format) {
    case "text":
      return "json";
    case "srt":
    case "vtt":
      return "verbose_json";
    default:
      return format;
  }
}

/** Creates the error for a transcript format that the model or its provider does not support. */
export function unsupportedTranscript(
  format: TranscriptFormat,
  id: string,
  formats: readonly TranscriptFormat[],
): GatewayError {
  const all = new Set<TranscriptFormat>(formats.includes("json") ? [...formats, "text"] : formats);
  if (formats.includes("verbose_json")) for (const written of ["srt", "vtt"] as const) all.add(written);
  return refuseParameter("response_format", `${id} responds with ${[...all].join(" or ")}, not with ${format}.`);
}

function refuseParameter(param: string, sentence: string): GatewayError {
  return new GatewayError("unsupported_value", `Unsupported value for '${param}': ${sentence}`, { param });
}
