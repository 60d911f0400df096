import type { GatewayError } from "../../core/errors.ts";
import { getImageBill, streamedUnits } from "../../core/images/image-cost.ts";
import type { Billed } from "../../core/models/model.ts";
import { asRecord } from "../../lib/records.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ImageResult, ProviderImages } from "../../providers/images.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import type { Downloader } from "../../upstream/download.ts";
import type { Opened } from "../calls/attempts.ts";
import type { Bill, ExchangePlan, PipelineDeps, StreamBill } from "../calls/call-steps.ts";
import type { Client } from "../calls/client.ts";
import type { CallCost, PaidCall } from "../calls/paid-call.ts";
import { StreamReader } from "../calls/stream-reader.ts";
import { shownHeaders } from "../calls/shown-headers.ts";
import type { ReadResponse } from "../calls/whole-response.ts";
import { chatDialect } from "../chat/dialects/chat.ts";
import type { Credential } from "../connections/connection.ts";
import { callOrigin } from "../media/call-origin.ts";
import type { KeepMedia, MediaOrigin, MediaSource } from "../media/keep-media.ts";
import { findCharge } from "../models/price-at.ts";
import type { Candidate } from "../models/served-model.ts";
import { convertImages } from "./requested-form.ts";
import type { ImageWork, ImagesResponse, WholeImages } from "./image-call.ts";
import { ImageObserver } from "./image-observer.ts";
import { readSides } from "../../core/images/image-rules.ts";

const MIB = 1024 * 1024;
/** Red, green, blue and alpha, not compressed at all, in base64. */
const PIXEL_BYTES = 4 * (4 / 3);
/** Min bytes to allow: a provider may return a larger picture than requested, plus other data. */
const LEAST_BYTES = 16 * MIB;
/** Max bytes of a picture if the request sets no size. */
const UNKNOWN_BYTES = 64 * MIB;
/** Ten pictures of 4K as providers compress them stay below it. */
const MOST_BYTES = 256 * MIB;

/**
 * Returns the max bytes of a response with this many pictures.
 * @param size as requested: `1024x1024`, `2K`, `auto`, or null
 */
export function computeLargestImages(count: number, size: string | null): number {
  const sides = readSides(size ?? "");
  const each = sides === null ? UNKNOWN_BYTES : Math.max(LEAST_BYTES, sides[0] * sides[1] * PIXEL_BYTES);
  return Math.min(MOST_BYTES, Math.max(1, count) * each);
}

export interface ImageDeps extends PipelineDeps {
  readonly clock: Clock;
  readonly downloader: Downloader;
  readonly keepMedia: KeepMedia;
  /** Throws storage_unavailable before a provider is called, if the result could not be saved. */
  readonly requireRoom: () => Promise<void>;
}

/** A whole response, and the document it was read from. */
export interface ReadImages {
  readonly response: ProviderImages;
  readonly document: unknown;
}

/** Sends and meters one order of images, made or edited, and hands them to the library. */
export class ImagePlan implements ExchangePlan<ImagesResponse, ReadImages> {
  readonly candidates: readonly Candidate[];
  readonly stream: boolean;
  readonly expected: string;
  readonly limit: number;
  readonly streamLimit: number;
  /** Heartbeats, and errors after the head, are the same as in a stream of chat completions. */
  readonly heartbeat = chatDialect.heartbeat;
  readonly #deps: ImageDeps;
  readonly #call: PaidCall;
  readonly #work: ImageWork;
  #observer: ImageObserver | null = null;
  #whole: ProviderImages | null = null;
  /** Received images, and the billed units of the whole call. */
  #made: { readonly images: readonly ImageResult[]; readonly units: Billed } | null = null;

  constructor(deps: ImageDeps, call: PaidCall, work: ImageWork) {
    const { candidates, stream, request } = work;
    this.candidates = candidates;
    this.stream = stream;
    this.expected = stream ? "a stream of images" : "a list of images";
    this.limit = computeLargestImages(request.count, request.size);
    this.streamLimit = 2 * this.limit;
    this.#deps = deps;
    this.#call = call;
    this.#work = work;
  }

  inBand(error: GatewayError, requestId: string): string {
    return chatDialect.inBand(error, requestId);
  }

  cost(remaining: number): CallCost {
    return this.#work.money.cost(remaining);
  }

  likely(candidate: Candidate): Billed {
    return this.#work.money.estimateRequested(candidate);
  }

  unseen(candidate: Candidate): Billed {
    return this.#work.money.estimateRequested(candidate);
  }

  wire(candidate: Candidate, credential: Credential): WireRequest {
    return this.#work.wire(candidate, credential);
  }

  read(document: unknown, { candidate }: Opened): ReadImages | null {
    const response = this.#work.read(document, candidate);
    return response === null ? null : { response, document };
  }

  /** Completes the provider's document, with its images in the requested form. */
  async finish(
    { opened, body, value }: ReadResponse<ReadImages>,
    client: Client,
  ): Promise<Bill & { readonly response: WholeImages }> {
    const { document } = value;
    const { connection } = opened.candidate;
    const { downloader } = this.#deps;
    const result = await convertImages(value.response, this.#work.form, { downloader, connection, client });
    const { images } = result;
    this.#whole = result;
    const counted = getImageBill(result.units, opened.candidate.price, this.#work.request);
    const charged = findCharge(asRecord(document)["usage"], opened.candidate);
    const units: Billed = charged === null ? counted.units : [{ units: counted.units, charged }];
    const estimated = charged === null && counted.estimated;
    this.#made = { images, units };
    const shown = createCompleted(result.body, this.#call.input.requestId, this.#deps.clock.now());
    // Serialized on demand: tools, and streams of providers that ignore `stream`, use only the images.
    let written: Buffer | null = null;
    const response: WholeImages = {
      status: 200,
      headers: shownHeaders(opened, { "content-type": "application/json" }),
      get body() {
        return (written ??= shown === document ? body : Buffer.from(JSON.stringify(shown)));
      },
      images,
    };
    return { units, estimated, response };
  }

  reader({ candidate }: Opened): StreamReader {
    const observer = new ImageObserver(this.#work.request.count, (usage) => this.#work.toUnits(usage, candidate));
    this.#observer = observer;
    return new StreamReader(observer, { pass: () => undefined, ending: (last) => [() => last?.raw ?? ""] });
  }

  /** The cost of images is known in advance, so the full cost is held. */
  cover(): () => number {
    return () => Number.POSITIVE_INFINITY;
  }

  /** Meters by the provider's usage if it reported any, else by the received images. */
  meter({ candidate }: Opened): StreamBill {
    const { request } = this.#work;
    const { usage = null, images = [], partials = 0 } = this.#observer ?? {};
    const bill =
      usage === null
        ? { units: streamedUnits(request, images.length, partials, candidate.price), estimated: true }
        : getImageBill({ image: images.length, ...usage }, candidate.price, request);
    this.#made = { images, units: bill.units };
    return bill;
  }

  asEvents({ response }: ReadImages): string {
    return getEvents(this.#whole ?? response, this.#work.endpoint, this.#deps.clock.now());
  }

  settleOpened(opened: Opened): void {
    if (this.#made === null) return;
    const { images, units } = this.#made;
    const { prompt, parameters, seed } = this.#work.request;
    const { connection } = opened.candidate;
    const origin: MediaOrigin = { ...callOrigin(this.#call, opened, units), prompt, parameters, seed };
    for (const image of images) {
      const source: MediaSource =
        image.kind === "url"
          ? { kind: "url", url: image.url, connection }
          : { kind: "bytes", bytes: Buffer.from(image.data.replace(DATA_URL, ""), "base64") };
      const saved = this.#deps.keepMedia(source, origin);
      this.#call.input.follower?.onSaved(saved);
    }
  }

  createStreamed(error: GatewayError | null): ImagesResponse {
    return { error };
  }
}

/** Some servers prefix base64 with this. */
const DATA_URL = /^data:[^,]{0,100},/;

/** Converts a whole response to the events that close a stream, one for each image. */
function getEvents({ body, images }: ProviderImages, endpoint: ImageWork["endpoint"], now: number): string {
  const type = `${endpoint === "edits" ? "image_edit" : "image_generation"}.completed`;
  const { data: _, created: __, usage, ...shown } = body;
  const events = images.map((image, index) => ({
    type,
    ...(image.kind === "url" ? { url: image.url } : { b64_json: image.data }),
    created_at: Math.floor(now / 1_000),
    ...shown,
    ...(usage === undefined || index < images.length - 1 ? {} : { usage }),
  }));
  return events.map((event) => `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** Fills in fields that every response of its shape has. Returns the same object if none is missing. */
function createCompleted(
  body: Readonly<Record<string, unknown>>,
  requestId: string,
  now: number,
): Readonly<Record<string, unknown>> {
  if (Array.isArray(body["data"]) && !Number.isSafeInteger(body["created"]))
    return { created: Math.floor(now / 1_000), ...without(body, "created") };
  if (body["output"] !== undefined && typeof body["request_id"] !== "string") return { ...body, request_id: requestId };
  return body;
}

function without(body: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = body;
  return rest;
}
