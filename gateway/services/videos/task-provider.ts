import { toGatewayError } from "../../core/attempts/provider-error.ts";
import type { ProviderError } from "../../core/attempts/provider-error.ts";
import { parseJson } from "../../lib/json.ts";
import type { ProviderClient } from "../../upstream/provider-client.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { VideoOperation, VideoState, VideosAdapter } from "../../providers/videos.ts";
import { upstreamRequest } from "../calls/upstream-request.ts";
import { failureError } from "../calls/failure-error.ts";
import { SHORT_RESPONSE_BYTES } from "../calls/whole-response.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import type { OrderedModel } from "../../core/videos/video-order.ts";
import type { Provider } from "../../providers/provider.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import type { Connection, Credential } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import type { ServedModel } from "../models/served-model.ts";

/** A task's account: its connection, and the provider key whose account it belongs to. */
export interface TaskAccount {
  readonly connection: Connection;
  readonly credential: Credential;
}

/**
 * Finds the account of a task. A replaced key is usually of the same account, so another key of the connection is used
 * if the original is gone.
 * @returns a sentence if the provider cannot be called.
 */
export function getAccount(task: TaskRecord, connections: Connections): TaskAccount | string {
  const connection = connections.get(task.connection);
  if (connection === undefined) return "The connection that took this task was removed. Add it again to go on.";
  const usable = connection.credentials.filter(({ locked }) => !locked);
  const credential = usable.find(({ hint }) => hint === task.credential) ?? usable[0];
  if (credential === undefined) return `The keys of ${connection.name} cannot be opened. Enter them again.`;
  return { connection, credential };
}

/** Returns the secrets that must not be shown from a response of this account. */
export const getSecrets = ({ credential }: Pick<TaskAccount, "credential">): readonly string[] =>
  credential.secret === null ? [] : [credential.secret];

/** @throws Error for a provider that makes no videos */
export function getVideos({ id, videos }: Provider): VideosAdapter {
  if (videos === null) throw new Error(`${id} makes no videos`);
  return videos;
}

/** Returns a model with the rules that its requests are checked by; without candidates, OpenAI's names apply. */
export function getOrderedModel({ id, spec, candidates }: ServedModel): OrderedModel {
  const providerFamily = candidates[0]?.connection.provider.videos?.unlisted ?? "sora";
  return { id, rules: spec?.video ?? null, providerFamily };
}

/** Timeouts of task polls, which are small and fast. */
const TIMEOUTS = { head: 30_000, gap: 30_000 };

/** The result of a poll: a response with any status, or none. */
export type ProviderResponse =
  | { readonly kind: "answer"; readonly status: number; readonly body: unknown; readonly error: () => ProviderError }
  | { readonly kind: "silence"; readonly why: string };

export interface AskDeps {
  readonly providerClient: Pick<ProviderClient, "open">;
  readonly instanceId: string;
}

/** Asks a task's provider something once. Never rejects for anything that a provider or a network can do. */
export async function askProvider(deps: AskDeps, account: TaskAccount, wire: WireRequest): Promise<ProviderResponse> {
  const { connection, credential } = account;
  try {
    const attempt = deps.providerClient.open(upstreamRequest(wire, connection, deps.instanceId, TIMEOUTS));
    const exchange = await attempt.response;
    const bytes = await exchange.collect(SHORT_RESPONSE_BYTES);
    const body = bytes.length === 0 ? undefined : parseJson(bytes);
    const { status, headers } = exchange;
    return {
      kind: "answer",
      status,
      body,
      error: () => connection.provider.errors.fromResponse(status, headers, body ?? null),
    };
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return { kind: "silence", why: failureError(error, connection, credential).message };
  }
}

/** Reads a task's state from a response; null if it has none: an error, or about another task. */
export function findState(
  adapter: VideosAdapter,
  operation: VideoOperation,
  { status, body }: ProviderResponse & { kind: "answer" },
): VideoState | null {
  // A proxy's `{"status":"failed"}` with a 502 is no word of the provider about a task that it may be making.
  if ((status < 200 || status >= 300) && status !== 404) return null;
  return adapter.isAnother(operation, body) ? null : adapter.toState(status, body);
}

/** A provider's error in a sentence, without the provider's key. */
export function getSentence(error: ProviderError, account: TaskAccount): string {
  return toGatewayError(error, account.connection.name, getSecrets(account)).message;
}
