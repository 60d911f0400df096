import { imageBill } from "../../core/images/image-cost.ts";
import { largestImages } from "../../core/images/image-weight.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ImagesAnswer } from "../../providers/images.ts";
import type { Attempts, Opened } from "../calls/attempts.ts";
import { readAnswer } from "../calls/whole-answer.ts";
import type { WholeAnswer } from "../calls/whole-answer.ts";
import { shownHeaders } from "../chat/shown-headers.ts";
import type { KeepMedia } from "../media/keep-media.ts";
import type { ImageCall } from "./image-call.ts";
import { keepImages } from "./keep-images.ts";

export interface ImageDeps {
  readonly clock: Clock;
  readonly keepMedia: KeepMedia;
  /** Refuses with storage_unavailable what could not be saved, before a provider is asked. */
  readonly requireRoom: () => Promise<void>;
}

/**
 * An answer that is not a stream: the provider's own document, completed. Its receipt is written before it is handed out.
 * @throws GatewayError, ClientGone.
 */
export async function answerImages(deps: ImageDeps, call: ImageCall, attempts: Attempts): Promise<WholeAnswer> {
  const { paid, reply, asked } = call;
  const { opened, body, value } = await readAnswer(
    attempts,
    reply,
    "a list of images",
    (document, from) => {
      const answer = call.read(document, from);
      return answer === null ? null : { answer, document };
    },
    largestImages(asked.count, asked.size),
  );
  const { answer, document } = value;
  await settleWhole(deps, call, { opened, answer });
  const shown = completed(answer.body, paid.input.requestId, deps.clock.now());
  return {
    status: 200,
    headers: { "content-type": "application/json", ...shownHeaders(opened) },
    body: shown === document ? body : Buffer.from(JSON.stringify(shown)),
  };
}

/** Images that came at once, and who gave them. */
export interface OpenedAnswer {
  readonly opened: Opened;
  readonly answer: ImagesAnswer;
}

/** Writes the receipt of a whole answer and hands its images to the library. */
export async function settleWhole(deps: ImageDeps, call: ImageCall, { opened, answer }: OpenedAnswer): Promise<void> {
  const { record } = call.paid;
  record.firstByte();
  const { units, estimated } = imageBill(answer.units, opened.candidate.price, call.asked);
  await record.settle({ outcome: "completed", status: 200, code: null, units, estimated });
  keepImages(deps.keepMedia, call, opened, answer.images, units);
}

/** What every answer of its shape has, where a provider left it out. The same object when nothing is missing. */
function completed(
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
