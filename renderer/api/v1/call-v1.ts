import { flatErrorSchema, nestedErrorSchema } from "../../../gateway/contract/errors.ts";
import { ControlError, UnreachableError } from "../client.ts";
import type { PlaygroundKey } from "./playground-key.ts";

/** A request to `/v1`, as any client makes it. */
export interface V1Request {
  /** Path such as `/v1/chat/completions`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | FormData;
}

/** A refusal with the gateway's message and the id of its request. */
export class CallError extends ControlError {
  readonly requestId: string | null;

  constructor(status: number, code: string | null, message: string, requestId: string | null) {
    super(status, code, message);
    this.requestId = requestId;
  }
}

/** The key is not there any more: taken away by another window, or a day old. A key that was switched off stays so. */
const LOST = new Set(["invalid_api_key", "key_expired"]);

/**
 * Sends a request with the playground's key; a lost key is recreated once.
 * @throws CallError for a refusal, UnreachableError without a response, DOMException AbortError when stopped
 */
export async function callV1(
  key: PlaygroundKey,
  request: V1Request,
  signal: AbortSignal,
  send: typeof fetch = fetch,
): Promise<Response> {
  const { secret } = await key.get();
  try {
    return await attempt(request, secret, signal, send);
  } catch (error) {
    if (!(error instanceof CallError && error.status === 401 && LOST.has(error.code ?? ""))) throw error;
    await key.forget(secret);
    return attempt(request, (await key.get()).secret, signal, send);
  }
}

async function attempt(
  { path, body }: V1Request,
  secret: string,
  signal: AbortSignal,
  send: typeof fetch,
): Promise<Response> {
  const form = body instanceof FormData;
  const headers: Record<string, string> = { authorization: `Bearer ${secret}` };
  if (!form) headers["content-type"] = "application/json";
  let response: Response;
  try {
    // `fetch` of a window must not be called as another object's method.
    response = await send(path, {
      method: "POST",
      headers,
      body: form ? body : JSON.stringify(body),
      signal,
      cache: "no-store",
    });
  } catch (error) {
    throw asUnreachable(error);
  }
  if (!response.ok) throw await getRefusal(response);
  return response;
}

/** Converts an error during a response: stopped by the owner, or the gateway is unreachable. */
export function asUnreachable(error: unknown): unknown {
  if (error instanceof ControlError) return error;
  if (error instanceof DOMException && error.name === "AbortError") return error;
  return new UnreachableError("Postern does not answer", { cause: error });
}

export const readRequestId = (response: Response): string | null => response.headers.get("x-request-id");

async function getRefusal(response: Response): Promise<CallError> {
  const id = readRequestId(response);
  const body: unknown = await response.json().catch(() => null);
  const nested = nestedErrorSchema.safeParse(body);
  if (nested.success) return new CallError(response.status, nested.data.error.code, nested.data.error.message, id);
  const flat = flatErrorSchema.safeParse(body);
  if (flat.success) return new CallError(response.status, flat.data.code, flat.data.message, id);
  return new CallError(response.status, null, `Postern answered with status ${response.status}.`, id);
}
