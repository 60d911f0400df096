import { onDemand } from "../../contract/on-demand.ts";
import { transcriptionFieldsSchema } from "../../contract/transcription.ts";
import { GatewayError } from "../../core/errors.ts";
import { readBoolean, readNumber, putField, typedText } from "../../core/form-fields.ts";
import { parseJson } from "../../lib/json.ts";
import { isRecord } from "../../lib/records.ts";
import type { FormPart } from "../edits/form-part.ts";
import type { SentSound, TranscriptionInput } from "./transcription-input.ts";

/** docs/specification.md#keys-bodies-timeouts: 64 MiB a file. */
const LARGEST_FILE_BYTES = 64 * 1024 * 1024;
/** Longer than any prompt, and than ten seconds of a speaker in base64. */
const LONGEST_TEXT_BYTES = 4 * 1024 * 1024;

const KNOWN = onDemand((): ReadonlySet<string> => new Set(Object.keys(transcriptionFieldsSchema.shape)));
const LISTS: ReadonlySet<string> = new Set([
  "languages",
  "keywords",
  "timestamp_granularities",
  "include",
  "known_speaker_names",
  "known_speaker_references",
]);

/**
 * Reads a multipart form as a request for a transcript. Fields may precede or follow the file; lists come as repeated
 * `name[]` or `name`, objects as `name[inner]` or as JSON. Files in other fields than `file` are dropped: as texts they
 * would be broken.
 * @throws GatewayError for a file or a text that is too large, and for a field that is given twice.
 */
export function readSoundForm(parts: readonly FormPart[]): TranscriptionInput {
  const fields: Record<string, unknown> = {};
  const extra = new Map<string, string[]>();
  let file: SentSound | null = null;
  for (const part of parts) {
    const { name, fileName, bytes } = part;
    if (name === "file") {
      // Web forms send an unset file field as an empty file without a name.
      if (bytes.length === 0 && !fileName) continue;
      if (file !== null) throw twice(name);
      file = getFile(part);
    } else if (fileName === null) {
      addText(part, fields, extra);
    }
  }
  return { fields, extra: Object.fromEntries(extra), file };
}

function getFile({ bytes, fileName }: FormPart): SentSound {
  if (bytes.length > LARGEST_FILE_BYTES) {
    throw new GatewayError("request_too_large", "The file in 'file' is larger than 64 MiB. Send it in several parts.", {
      param: "file",
    });
  }
  return { field: "file", fileName: fileName ?? "", bytes };
}

function addText({ name, bytes }: FormPart, fields: Record<string, unknown>, extra: Map<string, string[]>): void {
  const shown = name.slice(0, 64);
  if (bytes.length > LONGEST_TEXT_BYTES) {
    throw new GatewayError("request_too_large", `The field '${shown}' is longer than 4 MiB.`, { param: shown });
  }
  const text = bytes.toString("utf8");
  const top = /^[^[\]]*/.exec(name)?.[0] ?? "";
  if (!KNOWN().has(top)) {
    const before = extra.get(name);
    if (before === undefined) extra.set(name, [text]);
    else before.push(text);
    return;
  }
  // An empty field of a web form counts as omitted.
  if (text === "") return;
  const path = LISTS.has(name) ? `${name}[]` : name;
  if (!putField(fields, path, parseField(name, text))) throw twice(shown);
}

/** Converts a text to its JSON type. A text that is no number stays a text, so that the check that follows can show it. */
function parseField(name: string, text: string): unknown {
  if (name === "stream") return readBoolean(text) ?? text;
  if (name === "temperature") return readNumber(text) ?? text;
  if (name.startsWith("chunking_strategy[")) return typedText(text.trim());
  if (name !== "chunking_strategy" || !text.trimStart().startsWith("{")) return text;
  const parsed = parseJson(Buffer.from(text));
  return isRecord(parsed) ? parsed : text;
}

function twice(name: string): GatewayError {
  return new GatewayError("invalid_value", `The field '${name}' is given more than once. Send it once.`, {
    param: name,
  });
}
