import type { Units } from "../../core/models/model.ts";
import { sumUnits } from "../../core/money/price.ts";
import type { ImageResult } from "../../providers/images.ts";
import { CountedText } from "../../core/money/text-tokens.ts";
import type { Noticed, StreamObserver } from "../calls/stream-reader.ts";

/**
 * Observes a stream of images: OpenAI's `image_generation.*` and `image_edit.*` (docs/providers/openai.md#images), and
 * Ark's, whose images come in `….partial_succeeded` and whose `….completed` has only the usage
 * (docs/providers/ark.md#images).
 */
export class ImageObserver implements StreamObserver {
  readonly reported = {};
  readonly partlyCounted = false;
  usage: Units | null = null;
  readonly delivered = new CountedText();
  started = false;
  readonly images: ImageResult[] = [];
  /** Unfinished images that passed. */
  partials = 0;
  #completed = 0;
  readonly #expected: number;
  readonly #toUnits: (usage: unknown) => Units | null;

  /** @param expected number of requested images, each with its own closing event */
  constructor(expected: number, toUnits: (usage: unknown) => Units | null) {
    this.#expected = expected;
    this.#toUnits = toUnits;
  }

  get finished(): boolean {
    return this.#completed > 0;
  }

  notice(event: Readonly<Record<string, unknown>>): Noticed {
    const type = typeof event["type"] === "string" ? event["type"] : "";
    if (type === "error" || (event["error"] != null && !type.endsWith(".partial_failed"))) return "error";
    this.started = true;
    if (type.endsWith(".partial_image")) {
      this.partials += 1;
      return "pass";
    }
    const image = getImage(event);
    // Images beyond the requested count are not kept in memory.
    if (image !== null && this.images.length < this.#expected) this.images.push(image);
    if (!type.endsWith(".completed")) return "pass";
    this.#completed += 1;
    const units = this.#toUnits(event["usage"]);
    if (units !== null) this.usage = sumUnits([this.usage ?? {}, units]);
    return image === null || this.#completed >= this.#expected ? "last" : "pass";
  }
}

function getImage(event: Readonly<Record<string, unknown>>): ImageResult | null {
  const { b64_json: data, url } = event;
  if (typeof data === "string" && data !== "") return { kind: "base64", data };
  return typeof url === "string" && url !== "" ? { kind: "url", url } : null;
}
