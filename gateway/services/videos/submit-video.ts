import type { VideoOrder } from "../../core/videos/video-order.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Provider } from "../../providers/provider.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import type { VideoOperation, VideosAdapter } from "../../providers/videos.ts";
import type { Opened, Way } from "../calls/attempts.ts";
import type { Client } from "../calls/client.ts";
import { RESPONSE_TIMEOUTS } from "../calls/paid-call.ts";
import type { PaidCall } from "../calls/paid-call.ts";
import { SHORT_RESPONSE_BYTES, isError, readResponse } from "../calls/whole-response.ts";
import type { Credential } from "../connections/connection.ts";
import type { Candidate, Route } from "../models/routes.ts";

/** What became of a submission that was not refused. */
export type Submission =
  | { readonly kind: "taken"; readonly operation: VideoOperation; readonly native: unknown; readonly opened: Opened }
  /** It was sent, and what came back neither names a task nor refuses it for sure: the provider may have taken it. */
  | { readonly kind: "lost"; readonly why: string; readonly asked: Way | null };

/** Whoever asked may leave: what is on its way to a provider is seen through, since it may be billed. */
const NOBODY: Client = { cancelled: false, onCancelled: () => undefined, keep: (release) => release() };

/**
 * Sends a task to its provider, once.
 * @throws GatewayError when the provider refused it, or was certainly not reached: then no task came of it.
 */
export async function submitVideo(paid: PaidCall, route: Route, order: VideoOrder): Promise<Submission> {
  let asked: Way | null = null;
  const wire = (candidate: Candidate, credential: Credential): WireRequest => {
    asked = { candidate, credential };
    const { connection, upstreamModel } = candidate;
    const call = { body: order.body, upstreamModel, model: route.spec };
    const adapter = videosOf(connection.provider);
    paid.reaches(adapter.reaches, order.body);
    return adapter.toRequest(call, credential.secret);
  };
  const attempts = paid.attempts(route.candidates, NOBODY, RESPONSE_TIMEOUTS, { wire }, "never");
  try {
    const read = (native: unknown, from: Opened): { operation: VideoOperation | null; native: unknown } | null => {
      const { errors } = from.candidate.connection.provider;
      const operation = videosOf(from.candidate.connection.provider).fromResponse(native);
      const isRefusal = operation === null && (isError(native) || errors.inResponse?.(native) != null);
      return isRefusal ? null : { operation, native };
    };
    const { opened, value } = await readResponse(attempts, NOBODY, "a video task", read, SHORT_RESPONSE_BYTES);
    const { operation, native } = value;
    if (operation !== null) return { kind: "taken", opened, operation, native };
    return { kind: "lost", why: `${opened.candidate.connection.name} ${NAMELESS}`, asked };
  } catch (error) {
    if (error instanceof GatewayError && error.details.uncertain === true)
      return { kind: "lost", why: `${error.message} ${UNCERTAIN}`, asked };
    throw error;
  }
}

const NAMELESS = "answered as if it had taken the task, and did not say by which id it has it.";
const UNCERTAIN = "Whether it took the task is not known.";

export function videosOf({ id, videos }: Provider): VideosAdapter {
  if (videos === null) throw new Error(`${id} makes no videos`);
  return videos;
}
