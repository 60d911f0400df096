import { TYPE_BYTES, findMediaType } from "../../core/media/media-type.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { isRecord } from "../../lib/records.ts";
import { findImages } from "../../providers/openai-compatible/images.ts";
import type { ProviderImages } from "../../providers/images.ts";
import type { Downloader } from "../../upstream/download.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { formatTarget } from "../../upstream/targets.ts";
import type { Client } from "../calls/client.ts";
import type { Connection } from "../connections/connection.ts";

const LIMITS = { types: ["image/"], maxBytes: 64 * 1024 * 1024, totalMs: 60_000, idleMs: 20_000 };
const DATA_URL = /^data:[^,]{0,100},/;

/** A client's `response_format` as far as it can be honoured here; null: the provider's form is passed on. */
export type RequestedForm = "b64_json" | "url" | null;

/**
 * Reads what form of images a client expects.
 * @param isBase64Alone streams, and models that have no other form (docs/specification.md#images)
 */
export function readAskedForm(format: unknown, spec: ModelSpec | null, isBase64Alone: boolean): RequestedForm {
  if (isBase64Alone || format === "b64_json") return "b64_json";
  return format === "url" && spec === null ? "url" : null;
}

/**
 * Converts the images of a response to the requested form: base64 for images given by URL, and a `data:` URL for
 * base64. An image that cannot be fetched keeps its URL, because it is paid for.
 */
export async function convertImages(
  made: ProviderImages,
  form: RequestedForm,
  { downloader, connection, client }: { downloader: Downloader; connection: Connection; client: Client },
): Promise<ProviderImages> {
  const data = made.body["data"];
  if (form === null || !Array.isArray(data) || data.every((item) => isInForm(item, form))) return made;
  const convert = async (item: unknown): Promise<unknown> => {
    if (!isRecord(item) || isInForm(item, form)) return item;
    const { b64_json: base64, url, ...rest } = item;
    if (form === "url") return { ...rest, url: writeDataUrl(String(base64)) };
    const address = typeof base64 === "string" && base64 !== "" ? base64 : String(url);
    if (DATA_URL.test(address)) return { ...rest, b64_json: address.replace(DATA_URL, "") };
    const attempt = downloader.open(address, formatTarget(new URL(connection.baseUrl)), LIMITS);
    client.onCancelled(() => attempt.abort());
    try {
      return { ...rest, b64_json: (await (await attempt.response).collect()).toString("base64") };
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      return item;
    }
  };
  const converted: unknown[] = [];
  // Images are fetched one at a time, because each may be large and a client may disconnect.
  for (const item of data) converted.push(await convert(item));
  client.onCancelled(null);
  return { ...made, body: { ...made.body, data: converted }, images: findImages(converted) };
}

/** True for items without an image. */
function isInForm(item: unknown, form: "b64_json" | "url"): boolean {
  const [image] = findImages([item]);
  if (image === undefined || !isRecord(item)) return true;
  return form === "url" ? image.kind === "url" || typeof item["url"] === "string" : isBare(item["b64_json"]);
}

const isBare = (base64: unknown): boolean => typeof base64 === "string" && base64 !== "" && !base64.startsWith("data:");

function writeDataUrl(base64: string): string {
  const bare = base64.replace(DATA_URL, "");
  const type = findMediaType(Buffer.from(bare.slice(0, 4 * TYPE_BYTES), "base64").subarray(0, TYPE_BYTES));
  return `data:${type?.type ?? "image/png"};base64,${bare}`;
}
