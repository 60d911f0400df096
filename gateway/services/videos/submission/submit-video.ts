import type { VideoOrder } from "../../../core/videos/video-order.ts";
import { GatewayError } from "../../../core/errors.ts";
import type { WireRequest } from "../../../providers/wire-request.ts";
import type { VideoOperation } from "../../../providers/videos.ts";
import type { Opened, Persistence, Target } from "../../calls/attempts.ts";
import type { Client } from "../../calls/client.ts";
import type { PaidCall } from "../../calls/paid-call.ts";
import { SHORT_RESPONSE_BYTES, isError, readResponse } from "../../calls/whole-response.ts";
import type { Credential } from "../../connections/connection.ts";
import type { Candidate, ServedModel } from "../../models/served-model.ts";
import { createStoredNative } from "../../../core/tasks/task-native.ts";
import type { Acceptance } from "../../../core/tasks/task-changes.ts";
import { shortenPrompt, createStoredRequest, withWebhookUrl } from "../../../core/tasks/task-request.ts";
import type { TaskRecord } from "../../../core/tasks/task.ts";
import { selectSentFields } from "../../../core/sessions/identity.ts";
import { requestedSeed } from "../../../core/videos/video-seed.ts";
import { newUlid } from "../../../lib/ids.ts";
import { isRecord } from "../../../lib/records.ts";
import { providerName } from "../../calls/call-record.ts";
import { getSecrets, getVideos } from "../task-provider.ts";

/** The result of a submission that was not refused. */
export type Submission =
  | { readonly kind: "taken"; readonly operation: VideoOperation; readonly native: unknown; readonly opened: Opened }
  /**
   * The request was sent, but the response neither names a task nor is a definite refusal: the provider may have
   * accepted it.
   */
  | { readonly kind: "lost"; readonly why: string; readonly target: Target | null };

const ONCE: Persistence = { repeats: "never", asksRefused: false };
/**
 * A client that never cancels: a running submission is completed after the real client disconnects, because it may be
 * billed.
 */
const NOBODY: Client = { cancelled: false, onCancelled: () => undefined, keep: (release) => release() };

/**
 * Sends a task to its provider, once.
 * @throws GatewayError if the provider refused it or was certainly not reached, so that no task exists.
 */
export async function submitVideo(paid: PaidCall, servedModel: ServedModel, order: VideoOrder): Promise<Submission> {
  let target: Target | null = null;
  const wire = (candidate: Candidate, credential: Credential): WireRequest => {
    target = { candidate, credential };
    const { connection, upstreamModel } = candidate;
    const call = { body: order.body, upstreamModel, model: servedModel.spec };
    const adapter = getVideos(connection.provider);
    paid.checkFieldPermissions(candidate, "videos", order.body);
    return adapter.toRequest(call, credential.secret);
  };
  const attempts = paid.createAttempts(servedModel.candidates, NOBODY, { wire }, ONCE);
  try {
    const read = (native: unknown, from: Opened): { operation: VideoOperation | null; native: unknown } | null => {
      const { errors } = from.candidate.connection.provider;
      const operation = getVideos(from.candidate.connection.provider).fromResponse(native);
      const isRefusal = operation === null && (isError(native) || errors.inResponse?.(native) != null);
      return isRefusal ? null : { operation, native };
    };
    const { opened, value } = await readResponse(attempts, NOBODY, "a video task", { read }, SHORT_RESPONSE_BYTES);
    const { operation, native } = value;
    if (operation !== null) return { kind: "taken", opened, operation, native };
    return { kind: "lost", why: `${opened.candidate.connection.name} ${NAMELESS}`, target };
  } catch (error) {
    if (error instanceof GatewayError && error.details.uncertain === true)
      return { kind: "lost", why: `${error.message} ${UNCERTAIN}`, target };
    throw error;
  }
}

const NAMELESS = "answered as if it had taken the task, and did not say by which id it has it.";
const UNCERTAIN = "Whether it took the task is not known.";

/** The order, and the call it belongs to. */
interface Ordered {
  readonly paid: PaidCall;
  readonly servedModel: ServedModel;
  readonly order: VideoOrder;
  /** The client's own. */
  readonly body: unknown;
  /** The URL in its stored form. */
  readonly webhookUrl: string | null;
  readonly idempotency: TaskRecord["idempotency"];
}

/** A task just after its price was held, about to be sent to its first provider. @param now Unix ms */
export function newTask({ paid, servedModel, order, body, webhookUrl, idempotency }: Ordered, now: number): TaskRecord {
  const first = servedModel.candidates[0] as Candidate;
  const { pace } = getVideos(first.connection.provider);
  const { request, repeatable } = createStoredRequest(isRecord(body) ? withWebhookUrl(body, webhookUrl) : {});
  const { seconds, resolution, ratio, prompt, parameters } = order;
  const seed = requestedSeed(isRecord(body) ? body : {}, servedModel.id);
  return {
    id: `vt_${newUlid(now)}`,
    phase: "submitting",
    key: paid.input.key.record.id,
    request_id: paid.input.requestId,
    client: paid.record.client,
    model: servedModel.id,
    ...getPlace(first, first.connection.credentials[0]?.hint ?? ""),
    sandbox: first.connection.from === "sandbox",
    created_at: now,
    updated_at: now,
    finished_at: null,
    order: { seconds, resolution, ratio, prompt: shortenPrompt(prompt), seed, request, repeatable, parameters },
    webhook_url: webhookUrl,
    idempotency,
    hold_nano: paid.record.availableHold,
    operation: null,
    progress: null,
    native: null,
    result: null,
    error: null,
    bill: null,
    deadline_at: now + (order.timeoutMs ?? pace.timeouts),
    forgotten_at: now + Math.max(pace.memory, order.timeoutMs ?? 0),
    deleted_at: null,
    timeline: [{ at: now, phase: "submitting", note: null }],
    deliveries: [],
    ...selectSentFields(paid.record.identity),
  };
}

/** Returns the account of the task at the provider, and the provider's response. */
export function readAcceptance({
  opened,
  operation,
  native,
}: Submission & { kind: "taken" }): Acceptance & Required<Pick<Acceptance, "by">> {
  const storedNative = createStoredNative(native, getSecrets(opened));
  return { operationId: operation.id, native: storedNative, by: getPlace(opened.candidate, opened.credential.hint) };
}

/** A task whose submission had no response is attributed to the key that was used last. */
export function describeLoss({ why, target }: Submission & { kind: "lost" }): { why: string; by: Acceptance["by"] } {
  return { why, by: target === null ? undefined : getPlace(target.candidate, target.credential.hint) };
}

function getPlace(candidate: Candidate, credential: string): NonNullable<Acceptance["by"]> {
  const { connection, upstreamModel, price } = candidate;
  return {
    provider: providerName(candidate),
    connection: connection.id,
    credential,
    upstream_model: upstreamModel,
    price,
  };
}
