import type { MediaOriginRecord } from "../../contract/media.ts";
import { isRecord } from "../../lib/records.ts";
import type { MediaOrigin } from "./keep-media.ts";

const PROMPT_CHARACTERS = 4_000;
/** A longer text among the parameters is a file or a prompt of its own; its beginning is enough to know it by. */
const TEXT_CHARACTERS = 500;
const LIST_LENGTH = 50;
const DEPTH = 5;
/** What is kept beside a result must not outgrow it. */
const PARAMETER_CHARACTERS = 8_000;

/** What a result came from, as the index keeps it: nothing of it is unbounded. */
export function originRecord(origin: MediaOrigin): MediaOriginRecord {
  const parameters = shortened(origin.parameters, 0) as Record<string, unknown>;
  return {
    request_id: origin.requestId,
    key: origin.keyId,
    endpoint: origin.endpoint,
    model: cut(origin.model, TEXT_CHARACTERS),
    provider: cut(origin.provider, TEXT_CHARACTERS),
    prompt: cut(origin.prompt, PROMPT_CHARACTERS),
    parameters: JSON.stringify(parameters).length > PARAMETER_CHARACTERS ? scalarsOf(parameters) : parameters,
    seed: origin.seed,
    nano: origin.nano,
    sandbox: origin.sandbox,
  };
}

function shortened(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cut(value, TEXT_CHARACTERS);
  if (Array.isArray(value)) {
    return depth >= DEPTH ? [] : value.slice(0, LIST_LENGTH).map((item) => shortened(item, depth + 1));
  }
  if (!isRecord(value)) return value;
  if (depth >= DEPTH) return {};
  const entries = Object.entries(value).slice(0, LIST_LENGTH);
  return Object.fromEntries(entries.map(([name, field]) => [cut(name, TEXT_CHARACTERS), shortened(field, depth + 1)]));
}

/** Of parameters that are too many, those that say most: numbers, switches and short words. */
function scalarsOf(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const short = Object.entries(parameters).filter(([name, value]) => {
    const text = typeof value === "string" ? value : "";
    return name.length <= 100 && text.length <= 50 && (typeof value !== "object" || value === null);
  });
  return Object.fromEntries(short);
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);
