import { isRecord } from "../../lib/records.ts";
import type { PictureHeader } from "../media/picture-header.ts";

type Fields = Readonly<Record<string, unknown>>;

const NO_TOKENS = {
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  input_tokens_details: { text_tokens: 0, image_tokens: 0 },
};

/**
 * Returns the response with all fields of the specification. Providers of the delta family echo their settings; missing
 * fields of others are filled in (docs/specification.md#images). Models that are billed by the image report no tokens.
 * `created` is filled in where all image responses are completed.
 * @param response the provider's document.
 * @param request the client's fields.
 * @param made the first picture, if the response holds it: it shows the result of `auto` and the actual format.
 * @returns `response` itself if nothing was missing, so that its original bytes are forwarded.
 */
export function completeEdit(response: Fields, request: Fields, made: PictureHeader | null): Fields {
  const filled: Record<string, unknown> = { ...response };
  let changed = false;
  const fill = (name: string, isThere: boolean, value: unknown): void => {
    if (isThere) return;
    filled[name] = value;
    changed = true;
  };
  const echo = (name: string, otherwise: string): void => {
    const value = request[name];
    fill(name, typeof response[name] === "string", typeof value === "string" ? value : otherwise);
  };
  echo("background", "auto");
  const format = made === null ? (request["output_format"] ?? "png") : made.mediaType.slice("image/".length);
  fill("output_format", typeof response["output_format"] === "string", format);
  echo("quality", "auto");
  const madeSize = made === null ? null : `${made.width}x${made.height}`;
  const size =
    typeof request["size"] === "string" && request["size"] !== "auto" ? request["size"] : (madeSize ?? "auto");
  fill("size", typeof response["size"] === "string", size);
  fill("usage", isWhole(response["usage"]), {
    ...NO_TOKENS,
    ...(isRecord(response["usage"]) ? response["usage"] : {}),
  });
  return changed ? filled : response;
}

function isWhole(usage: unknown): boolean {
  return isRecord(usage) && Object.keys(NO_TOKENS).every((name) => usage[name] != null);
}
