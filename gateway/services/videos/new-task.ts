import { keptNative } from "../../core/tasks/task-native.ts";
import type { Taken } from "../../core/tasks/task-changes.ts";
import { keptPrompt, keptRequest } from "../../core/tasks/task-request.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { requestedSeed } from "../../core/videos/video-seed.ts";
import type { VideoOrder } from "../../core/videos/video-order.ts";
import { newUlid } from "../../lib/ids.ts";
import { isRecord } from "../../lib/records.ts";
import { providerName } from "../calls/call-record.ts";
import type { PaidCall } from "../calls/paid-call.ts";
import type { Candidate, Route } from "../models/routes.ts";
import { videosOf } from "./submit-video.ts";
import type { Submission } from "./submit-video.ts";
import { secretsOf } from "./task-account.ts";

/** What is asked for, and for whom. */
export interface Ordered {
  readonly paid: PaidCall;
  readonly route: Route;
  readonly order: VideoOrder;
  /** The client's own. */
  readonly body: unknown;
  readonly webhookUrl: string | null;
  readonly idempotency: TaskRecord["idempotency"];
}

/** A task right after its price was held, on its way to the provider that is asked first. @param now Unix ms */
export function newTask({ paid, route, order, body, webhookUrl, idempotency }: Ordered, now: number): TaskRecord {
  const first = route.candidates[0] as Candidate;
  const { pace } = videosOf(first.connection.provider);
  const { request, repeatable } = keptRequest(isRecord(body) ? body : {});
  const { seconds, resolution, ratio, prompt, parameters } = order;
  const seed = requestedSeed(isRecord(body) ? body : {}, route.id);
  return {
    id: `vt_${newUlid(now)}`,
    phase: "submitting",
    key: paid.input.key.record.id,
    request_id: paid.input.requestId,
    client: paid.record.client,
    model: route.id,
    ...placeOf(first, first.connection.credentials[0]?.hint ?? ""),
    sandbox: first.connection.from === "sandbox",
    created_at: now,
    updated_at: now,
    finished_at: null,
    order: { seconds, resolution, ratio, prompt: keptPrompt(prompt), seed, request, repeatable, parameters },
    webhook_url: webhookUrl,
    idempotency,
    hold_nano: paid.record.held,
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
  };
}

/** Whose task it is at the provider, and what it was told. */
export function takenBy({
  opened,
  operation,
  native,
}: Submission & { kind: "taken" }): Taken & Required<Pick<Taken, "by">> {
  const kept = keptNative(native, secretsOf(opened));
  return { operationId: operation.id, native: kept, by: placeOf(opened.candidate, opened.credential.hint) };
}

/** A task whose submission had no response belongs to whose key was asked last. */
export function lostAt({ why, asked }: Submission & { kind: "lost" }): { why: string; by: Taken["by"] } {
  return { why, by: asked === null ? undefined : placeOf(asked.candidate, asked.credential.hint) };
}

function placeOf(candidate: Candidate, credential: string): NonNullable<Taken["by"]> {
  const { connection, upstreamModel, price } = candidate;
  return {
    provider: providerName(candidate),
    connection: connection.id,
    credential,
    upstream_model: upstreamModel,
    price,
  };
}
