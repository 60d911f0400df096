import type { Connection } from "../connections/connection.ts";
import type { MediaOriginRecord } from "../../contract/media.ts";
import { isRecord } from "../../lib/records.ts";

const PROMPT_CHARACTERS = 4_000;
/** Max characters of a text parameter; a longer one is a file or a prompt, which its start identifies. */
const TEXT_CHARACTERS = 500;
const LIST_LENGTH = 50;
const DEPTH = 5;
/** Max characters of the parameters, so that they do not outgrow the result. */
const PARAMETER_CHARACTERS = 8_000;

/** Returns the origin of a result for the index, with every field bounded. */
export function originRecord(origin: MediaOrigin): MediaOriginRecord {
  const parameters = trimText(origin.parameters, 0) as Record<string, unknown>;
  return {
    request_id: origin.requestId,
    key: origin.keyId,
    endpoint: origin.endpoint,
    model: cut(origin.model, TEXT_CHARACTERS),
    provider: cut(origin.provider, TEXT_CHARACTERS),
    prompt: cut(origin.prompt, PROMPT_CHARACTERS),
    parameters: JSON.stringify(parameters).length > PARAMETER_CHARACTERS ? pickScalars(parameters) : parameters,
    seed: origin.seed,
    nano: origin.nano,
    sandbox: origin.sandbox,
  };
}

function trimText(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cut(value, TEXT_CHARACTERS);
  if (Array.isArray(value)) {
    return depth >= DEPTH ? [] : value.slice(0, LIST_LENGTH).map((item) => trimText(item, depth + 1));
  }
  if (!isRecord(value)) return value;
  if (depth >= DEPTH) return {};
  const entries = Object.entries(value).slice(0, LIST_LENGTH);
  return Object.fromEntries(entries.map(([name, field]) => [cut(name, TEXT_CHARACTERS), trimText(field, depth + 1)]));
}

/** Keeps the most useful of too many parameters: numbers, switches and short words. */
function pickScalars(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const short = Object.entries(parameters).filter(([name, value]) => {
    const text = typeof value === "string" ? value : "";
    return name.length <= 100 && text.length <= 50 && (typeof value !== "object" || value === null);
  });
  return Object.fromEntries(short);
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

/** Source of the bytes of a result. */
export type MediaSource =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  /** At an address that the provider gave; read through the checked HTTP client, without the provider's key. */
  | { readonly kind: "url"; readonly url: string; readonly connection: Connection };

/** Origin of a result, stored with it. */
export interface MediaOrigin {
  readonly requestId: string;
  /** Id of the requesting local key. */
  readonly keyId: string;
  /** Endpoint of receipts: `speech`, `images`, `edits`. */
  readonly endpoint: string;
  /** The public model id. */
  readonly model: string;
  /** Name in `x-postern-provider`. */
  readonly provider: string;
  /** Requested text; shortened if very long. */
  readonly prompt: string;
  /** The other parameters of the request, without media and without keys. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly seed: number | null;
  /** 10⁻⁹ USD of the whole call; null when unpriced. */
  readonly nano: number | null;
  readonly sandbox: boolean;
}

/**
 * Saves a result to the library. Never throws and never rejects: a result that cannot be saved becomes a notice.
 * @returns its id in the library once saved; null if it was not saved, or Postern stops first.
 */
export type KeepMedia = (source: MediaSource, origin: MediaOrigin) => Promise<string | null>;
