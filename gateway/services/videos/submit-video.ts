import type { VideoOrder } from "../../core/videos/video-order.ts";
import { GatewayError } from "../../core/errors.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { Vendor } from "../../vendors/vendor.ts";
import type { VideoOperation, VideosAdapter } from "../../vendors/videos.ts";
import type { Opened, Way } from "../calls/attempts.ts";
import type { Client } from "../calls/client.ts";
import { ANSWER_PATIENCE } from "../calls/paid-call.ts";
import type { PaidCall } from "../calls/paid-call.ts";
import { isError, readAnswer } from "../calls/whole-answer.ts";
import type { Route } from "../models/model-index.ts";

/** What became of a submission that was not refused. */
export type Submission =
  | { readonly kind: "taken"; readonly operation: VideoOperation; readonly native: unknown; readonly opened: Opened }
  /** It was sent, and no answer came that names a task: the vendor may have taken it. */
  | { readonly kind: "lost"; readonly why: string; readonly asked: Way | null };

/** What the vendor, or a proxy before it, may have said after it had taken the task. Others were refused for sure. */
const DOUBTFUL = new Set([500, 502, 504]);

/** Whoever asked may leave: what is on its way to a vendor is seen through, since it may be billed. */
const NOBODY: Client = { gone: false, onGone: () => undefined };

/**
 * Sends a task to its vendor, once.
 * @throws GatewayError when the vendor refused it, or was certainly not reached: then no task came of it.
 */
export async function submitVideo(paid: PaidCall, route: Route, order: VideoOrder): Promise<Submission> {
  let asked: Way | null = null;
  const attempts = paid.attempts(
    route.candidates,
    NOBODY,
    ANSWER_PATIENCE,
    (candidate, credential) => {
      asked = { candidate, credential };
      const { connection, upstreamModel } = candidate;
      const call = { body: order.body, upstreamModel, model: route.spec };
      return videosOf(connection.vendor).toRequest(call, credential.secret);
    },
    "never",
  );
  try {
    const { opened, value } = await readAnswer(attempts, NOBODY, "a video task", (native, from) => {
      const operation = videosOf(from.candidate.connection.vendor).fromResponse(native);
      return operation === null && isRefusal(native, from) ? null : { operation, native };
    });
    const { operation, native } = value;
    if (operation !== null) return { kind: "taken", opened, operation, native };
    return { kind: "lost", why: `${opened.candidate.connection.name} ${NAMELESS}`, asked };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { cause } = error.details;
    if (cause instanceof UpstreamFailure && cause.sent) return { kind: "lost", why: error.message, asked };
    throw DOUBTFUL.has(error.status) ? notAgain(error) : error;
  }
}

/** An error in the answer, or a page: something that stands before the vendor, or is none. */
function isRefusal(native: unknown, { candidate, exchange }: Opened): boolean {
  const type = exchange.headers["content-type"] ?? "";
  return isError(native) || candidate.connection.vendor.errors.inAnswer?.(native) != null || /html/i.test(type);
}

/** SDKs send again by themselves what fails like this; the second one would be paid for too. */
function notAgain(error: GatewayError): GatewayError {
  const headers = { ...error.details.headers, "x-should-retry": "false" };
  return new GatewayError(error.code, error.message, { ...error.details, headers });
}

const NAMELESS = "answered as if it had taken the task, and did not say by which id it has it.";

export function videosOf({ id, videos }: Vendor): VideosAdapter {
  if (videos === null) throw new Error(`${id} makes no videos`);
  return videos;
}
