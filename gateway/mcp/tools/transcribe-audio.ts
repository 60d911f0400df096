import * as z from "zod";
import { transcriptFormats } from "../../contract/transcription.ts";
import { GatewayError } from "../../core/errors.ts";
import { readSegments, readText } from "../../core/transcription/transcript.ts";
import { asList, isRecord } from "../../lib/records.ts";
import type { SentSound, TranscriptionInput } from "../../services/transcription/transcription-input.ts";
import type { TranscriptResponse, WholeTranscript } from "../../services/transcription/transcription-plan.ts";
import { getMediaBytes, getMediaId, formatMediaName, getOwnMedia } from "../media/own-media.ts";
import { costLine, paidFields, getPaid } from "../tool/paid-fields.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool, ToolCall } from "../tool/tool.ts";
import { whileWaiting } from "../tool/waiting.ts";

const AUDIO_WORDS =
  "postern://media/{id} of audio or a video that this key made, or the file in base64, bare or as data:audio/mpeg;base64,…. Paths and addresses are not read.";

const input = z.strictObject({
  model: z.string().min(1).describe("Id of a model with the capability transcription."),
  audio: z
    .string()
    .min(1)
    .describe(
      `The recording, up to 64 MiB (25 MiB for OpenAI's models): ${AUDIO_WORDS} FLAC, MP3, MP4, M4A, AAC, Ogg, WAV or WebM.`,
    ),
  response_format: z
    .enum(transcriptFormats)
    .optional()
    .describe(
      "json (default) and text: the text. srt and vtt: subtitles. verbose_json: segments with their times in seconds. diarized_json: segments with speakers. Which of them a model has, the error for another one says.",
    ),
  language: z.string().optional().describe("Language of the recording, such as en; default detected."),
  prompt: z
    .string()
    .optional()
    .describe("Names and terms that occur, or the text before this recording. Not every model follows it."),
  translate: z
    .boolean()
    .optional()
    .describe("True for English text of speech in another language; only models with the capability translation."),
});

const output = z.object({
  text: z.string().describe("All that was said; empty only for silence and for a cancelled call."),
  segments: z
    .array(
      z.object({
        start: z.number().describe("Seconds from the beginning."),
        end: z.number().describe("Seconds from the beginning."),
        text: z.string(),
        speaker: z.string().optional().describe("Label of the speaker; only in diarized_json."),
      }),
    )
    .nullable()
    .describe("Parts with their times; null for json and text."),
  ...paidFields,
});

type Deps = Pick<ToolDeps, "transcribe" | "media" | "clock" | "later">;
type Arguments = z.output<typeof input>;

/** Runs the service of `POST /v1/audio/transcriptions`, or of `/v1/audio/translations`. */
export function transcribeAudioTool(deps: Deps): Tool {
  return defineTool({
    name: "transcribe_audio",
    title: "Transcribe audio",
    description:
      "Writes down what is said in a recording: text, subtitles, or segments with times and speakers. Costs money: per second of audio or per token at the model's price. Call quote with the same arguments to estimate the cost, and list_models with capability transcription for models and prices. Takes a few seconds per minute of audio and reports progress.",
    input,
    output,
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    capability: "transcription",
    estimate: async ({ input: call }, args) =>
      deps.transcribe.estimate(call, getTask(args), await readInput(deps, { input: call }, args)),
    async run(call, args) {
      const request = await readInput(deps, call, args);
      const work = deps.transcribe.run(call.input, getTask(args), request, call.client);
      const transcript = getWhole(await whileWaiting(deps, call.progress, `${args.model} transcribes`, work));
      const document = transcript?.document ?? {};
      const timed = args.response_format !== undefined && !["json", "text"].includes(args.response_format);
      return {
        content: [
          { type: "text", text: `${transcript === null ? "" : shown(transcript)}\n\n${costLine(call)}`.trim() },
        ],
        structured: { text: readText(document), segments: timed ? readVoices(document) : null, ...getPaid(call) },
      };
    },
  });
}

const getTask = ({ translate }: Arguments): "transcribe" | "translate" =>
  translate === true ? "translate" : "transcribe";

/** Nothing is streamed to a tool. */
function getWhole(response: TranscriptResponse | null): WholeTranscript | null {
  return response !== null && "document" in response ? response : null;
}

/** Formats subtitles unchanged; of documents the text, with speakers and times if requested. */
function shown({ body, headers, document }: WholeTranscript): string {
  if (headers["content-type"] !== "application/json") return body.toString("utf8").trim();
  const segments = readVoices(document);
  if (document["segments"] === undefined) return readText(document);
  return segments
    .map(({ start, end, text, speaker }) => {
      const who = speaker === undefined ? "" : ` ${speaker}:`;
      return `[${start.toFixed(1)}–${end.toFixed(1)} s]${who} ${text.trim()}`;
    })
    .join("\n");
}

type Shown = NonNullable<z.output<typeof output>["segments"]>[number];

function readVoices(document: WholeTranscript["document"]): Shown[] {
  const named = asList(document["segments"]);
  return readSegments(document).map(({ start, end, text }, index) => {
    const part = named[index];
    const speaker = isRecord(part) ? part["speaker"] : undefined;
    return { start, end, text, ...(typeof speaker === "string" ? { speaker } : {}) };
  });
}

async function readInput(deps: Deps, call: Pick<ToolCall, "input">, args: Arguments): Promise<TranscriptionInput> {
  const { audio, translate: _translate, ...fields } = args;
  return { fields, extra: {}, file: await getSound(deps, call, audio) };
}

/** Max bytes, the same as for an uploaded file. */
const MOST_BYTES = 64 * 1024 * 1024;
const DATA_URL = /^data:[^,]{0,100};base64,/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

async function getSound(deps: Deps, { input: { key } }: Pick<ToolCall, "input">, audio: string): Promise<SentSound> {
  const id = getMediaId(audio);
  if (id === null) {
    const data = audio.slice(DATA_URL.exec(audio)?.[0].length ?? 0).replaceAll(/\s/g, "");
    if (!BASE64.test(data)) throw invalid(`expected ${AUDIO_WORDS}`);
    return { field: "audio", fileName: "", bytes: Buffer.from(data, "base64") };
  }
  const view = await getOwnMedia(deps.media, key, id);
  if (view.kind === "image") throw invalid(`${id} is ${view.type}, with nothing to hear.`);
  if (view.bytes > MOST_BYTES) {
    throw new GatewayError("request_too_large", `${id} is larger than 64 MiB. Send a part of it.`, { param: "audio" });
  }
  return { field: "audio", fileName: formatMediaName(view), bytes: await getMediaBytes(deps.media, id) };
}

function invalid(why: string): GatewayError {
  return new GatewayError("invalid_value", `Invalid value for 'audio': ${why}`, { param: "audio" });
}
