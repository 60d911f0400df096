import type { VideoOrder } from "../../core/video-order.ts";
import { GatewayError } from "../../core/errors.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { Vendor } from "../../vendors/vendor.ts";
import type { VideoOperation, VideosAdapter } from "../../vendors/videos.ts";
import type { Opened } from "../calls/attempts.ts";
import type { Client } from "../calls/client.ts";
import { ANSWER_PATIENCE } from "../calls/paid-call.ts";
import type { PaidCall } from "../calls/paid-call.ts";
import { readAnswer } from "../calls/whole-answer.ts";
import type { Route } from "../models/model-index.ts";

/** What became of a submission that was not refused. */
export type Submission =
  | { readonly kind: "taken"; readonly operation: VideoOperation; readonly native: unknown; readonly opened: Opened }
  /** It was sent, and no answer came: the vendor may have taken it. */
  | { readonly kind: "lost"; readonly why: string };

/** Whoever asked may leave: what is on its way to a vendor is seen through, since it may be billed. */
const NOBODY: Client = { gone: false, onGone: () => undefined };

/**
 * Sends a task to its vendor, once.
 * @throws GatewayError when the vendor refused it, or was certainly not reached: then no task came of it.
 */
export async function submitVideo(paid: PaidCall, route: Route, order: VideoOrder): Promise<Submission> {
  const attempts = paid.attempts(
    route.candidates,
    NOBODY,
    ANSWER_PATIENCE,
    ({ connection, upstreamModel }, { secret }) =>
      videosOf(connection.vendor).toRequest({ body: order.body, upstreamModel, model: route.spec }, secret),
    "never",
  );
  try {
    const { opened, value } = await readAnswer(attempts, NOBODY, "a video task", (native, { candidate }) => {
      const operation = videosOf(candidate.connection.vendor).fromResponse(native);
      return operation === null ? null : { operation, native };
    });
    return { kind: "taken", opened, ...value };
  } catch (error) {
    const failure = error instanceof GatewayError ? error.details.cause : null;
    if (error instanceof GatewayError && failure instanceof UpstreamFailure && failure.sent) {
      return { kind: "lost", why: error.message };
    }
    throw error;
  }
}

export function videosOf({ id, videos }: Vendor): VideosAdapter {
  if (videos === null) throw new Error(`${id} makes no videos`);
  return videos;
}
