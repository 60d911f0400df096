import { readBoolean, readNumber } from "../form-fields.ts";
import type { EditRules } from "./edit-rules.ts";
import { chooseQuality } from "../images/image-quality.ts";
import type { ImageQuality } from "../images/image-quality.ts";

type Fields = Readonly<Record<string, unknown>>;

const NUMBERS = new Set(["n", "output_compression", "partial_images"]);

/**
 * A form's texts in the types of JSON. What is no number stays the text that it is, so that the check that follows can
 * show it.
 */
export function typedFields(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, readTyped(name, value)]));
}

function readTyped(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (NUMBERS.has(name)) return readNumber(value) ?? value;
  return name === "stream" ? (readBoolean(value) ?? value) : value;
}

/** Fields that only models with an adjustable output format accept. */
const OUTPUT_FIELDS = ["output_format", "background", "output_compression", "moderation", "stream", "partial_images"];

/**
 * Returns the fields for the provider: legacy values in the model's own terms, without fields that the model refuses
 * (`response_format` at gpt-image), with the defaults of the specification (base64 at dall-e, whose own default is a
 * URL). Unknown fields stay. The fields passed `checkEdit`.
 * @param isBase64Alone whether the model refuses `response_format` at any provider.
 */
export function createFieldsForProvider(fields: Fields, rules: EditRules | null, isBase64Alone = false): Fields {
  const sent: Record<string, unknown> = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
  delete sent["model"];
  if (rules === null) {
    // Clients expect base64 from an unknown model.
    if (isBase64Alone) delete sent["response_format"];
    else if (sent["stream"] !== true) sent["response_format"] ??= "b64_json";
    return sent;
  }
  const sentQuality = sent["quality"] as ImageQuality | undefined;
  const quality = sentQuality === undefined ? null : chooseQuality(sentQuality, rules.qualities);
  if (quality === null) delete sent["quality"];
  else sent["quality"] = quality;
  if (rules.response === "base64") delete sent["response_format"];
  else sent["response_format"] ??= "b64_json";
  if (rules.output) return sent;
  for (const name of OUTPUT_FIELDS) delete sent[name];
  // Only models that choose a size accept `auto`; the others have their own default.
  if (sent["size"] === "auto") delete sent["size"];
  return sent;
}
