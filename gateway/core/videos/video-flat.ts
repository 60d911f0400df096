import type { VideoRequest } from "../../contract/videos.ts";
import { isRecord } from "../../lib/records.ts";
import { readUrl } from "./video-input.ts";
import { readPlace } from "./video-refusal.ts";
import type { Fields } from "./video-terms.ts";

/**
 * The families whose providers take one flat body (Ark, xAI, Sora). A client sends `input` and `parameters`, or the
 * provider's own body at the top (docs/specification.md#video).
 */

/** A part of the client's body that may have provider fields, and its name in messages. */
export interface Part {
  readonly fields: Fields;
  /** `input`, `parameters`, or empty for the top. */
  readonly within: string;
}

/** Ours at the top; no provider is sent them as they are. */
const GATEWAY_FIELDS = [
  "model",
  "duration",
  "resolution",
  "aspect_ratio",
  "input",
  "parameters",
  "webhook_url",
  "wait",
];

/** Finds the provider's own fields: `parameters`, and `input` or else the top level. Nulls are "not given". */
export function readParts(request: VideoRequest, body: Fields): readonly [source: Part, settings: Part] {
  const settings: Part = { fields: withoutNulls(request.parameters ?? {}, []), within: "parameters" };
  if (request.input != null) return [{ fields: withoutNulls(request.input, []), within: "input" }, settings];
  return [{ fields: withoutNulls(body, GATEWAY_FIELDS), within: "" }, settings];
}

/** Returns the rest of both parts for the provider. @param used fields that have been read and are said otherwise */
export function readRest([source, settings]: readonly [Part, Part], used: readonly string[]): Record<string, unknown> {
  return { ...withoutNulls(source.fields, used), ...withoutNulls(settings.fields, used) };
}

/** Reads a field from each part, in their order. */
export function findTerm<T>(
  parts: readonly Part[],
  name: string,
  read: (fields: Fields, name: string, within: string) => T | null,
): (T | null)[] {
  return parts.map(({ fields, within }) => read(fields, name, within));
}

/** Reads an address, also as `{url}`; null if it is missing. @throws GatewayError when it is neither */
export function getPictureUrl(source: Part, name: string): string | null {
  const { fields, within } = source;
  const value = fields[name];
  return isRecord(value) ? readUrl(value, "url", true, at(source, name)) : readUrl(fields, name, false, within);
}

/** Returns the path of a field of a part for messages. */
export const at = ({ within }: Part, name: string): string => readPlace(within, name);

function withoutNulls(fields: Fields, others: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value != null && !others.includes(name)));
}
