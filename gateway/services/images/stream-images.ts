import { imageBill, streamedUnits } from "../../core/images/image-cost.ts";
import type { ImageBill } from "../../core/images/image-cost.ts";
import { largestImages } from "../../core/images/image-weight.ts";
import { parseJson } from "../../lib/json.ts";
import type { ImagesAnswer } from "../../providers/images.ts";
import type { Attempts, Opened } from "../calls/attempts.ts";
import { collect, refuseAnswer } from "../calls/whole-answer.ts";
import type { Dialect } from "../chat/dialect.ts";
import { chatDialect } from "../chat/dialects/chat.ts";
import { shownHeaders } from "../chat/shown-headers.ts";
import { isEventStream } from "../chat/stream-errors.ts";
import type { StreamHead } from "../chat/stream-head.ts";
import { StreamReader } from "../chat/stream-reader.ts";
import type { StreamWatch } from "../chat/stream-watch.ts";
import { beginStream, deliverStream } from "../chat/provider-stream.ts";
import type { BegunStream, StreamedCall } from "../chat/provider-stream.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { ImageCall } from "./image-call.ts";
import { ImageObserver } from "./image-observer.ts";
import { keepImages } from "./keep-images.ts";
import { settleWhole } from "./whole-images.ts";
import type { ImageDeps, OpenedAnswer } from "./whole-images.ts";

export interface ImageStreamDeps extends ImageDeps {
  readonly keyRing: KeyRing;
  readonly watch: StreamWatch;
}

/** In silence, and for errors after the head, a stream of images is like one of chat completions. */
export const IMAGE_STREAM: Pick<Dialect, "heartbeat" | "inBand"> = chatDialect;

/**
 * A streamed answer: fails over until the first event, then passes every event on as it comes.
 * @throws GatewayError or ClientGone for everything that ends before the first event.
 */
export async function streamImages(
  deps: ImageStreamDeps,
  call: ImageCall,
  attempts: Attempts,
  head: StreamHead,
): Promise<void> {
  deps.watch.add(head);
  try {
    const first = await firstEvent(deps, call, attempts);
    deps.watch.delete(head);
    if ("begun" in first) {
      const { begun, observer } = first;
      const { opened } = begun;
      head.send(shownHeaders(opened));
      await deliverStream(
        deps.watch,
        streamed(call),
        begun,
        () => billOf(call, opened, observer),
        (units) => keepImages(deps.keepMedia, call, opened, observer.images, units),
      );
      return;
    }
    await settleWhole(deps, call, first);
    head.send(shownHeaders(first.opened));
    call.reply.write(eventsOf(first.answer, call.endpoint, deps.clock.now()));
    await call.reply.end();
  } finally {
    deps.watch.delete(head);
  }
}

/** A begun stream, and what it is read for. */
interface BegunImages {
  readonly begun: BegunStream;
  readonly observer: ImageObserver;
}

async function firstEvent(
  deps: ImageStreamDeps,
  call: ImageCall,
  attempts: Attempts,
): Promise<BegunImages | OpenedAnswer> {
  const { paid, reply, asked } = call;
  for (;;) {
    const opened = await attempts.next();
    if (!isEventStream(opened)) {
      const document = parseJson(await collect(opened, attempts, reply, largestImages(asked.count, asked.size)));
      // Some servers do not know `stream`: what they made is paid for all the same.
      const answer = call.read(document, opened);
      if (answer !== null) {
        attempts.accept(opened);
        return { opened, answer };
      }
      await refuseAnswer(opened, attempts, document, "a stream of images");
      continue;
    }
    const observer = new ImageObserver(asked.count, (usage) => call.toUnits(usage, opened));
    const reader = new StreamReader(observer, { pass: () => undefined, ending: (last) => last?.raw ?? "" });
    const begun = await beginStream(streamed(call), attempts, opened, reader, {
      clock: deps.clock,
      heartbeat: IMAGE_STREAM.heartbeat,
      objection: () => deps.keyRing.objection(paid.input.key),
      // What images cost is known before: all of it is held.
      cover: () => Number.POSITIVE_INFINITY,
      largest: 2 * largestImages(asked.count, asked.size),
    });
    if (begun !== null) return { begun, observer };
  }
}

function streamed({ paid, reply }: ImageCall): StreamedCall {
  return { paid, reply, dialect: IMAGE_STREAM };
}

/** By the provider's usage where it told one; else by what came. */
function billOf({ asked }: ImageCall, { candidate }: Opened, { usage, images, partials }: ImageObserver): ImageBill {
  if (usage !== null) return imageBill({ image: images.length, ...usage }, candidate.price, asked);
  return { units: streamedUnits(asked, images.length, partials, candidate.price), estimated: true };
}

/** A whole answer told as the events that close a stream, one for each image. */
function eventsOf({ body, images }: ImagesAnswer, endpoint: ImageCall["endpoint"], now: number): string {
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
