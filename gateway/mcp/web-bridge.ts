import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Serves a Node request with a handler of web Request and Response. The SDK's own bridge serializes a parsed body
 * again, which for a 20 MB picture takes longer than everything else.
 * @param handle receives the request without its body; its signal aborts if the client disconnects early.
 */
export async function serveWeb(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  const left = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) left.abort();
  });
  // It may have left while its body was read: then `close` has been and will not come again.
  if (response.destroyed) left.abort();
  const body = await handle(toWeb(request, left.signal));
  if (left.signal.aborted) {
    await body.body?.cancel().catch(() => undefined);
    return;
  }
  response.writeHead(body.status, getHeaders(body));
  if (body.body === null) {
    response.end();
    return;
  }
  // The head is sent immediately, because clients wait for it before they treat a stream as open.
  response.flushHeaders();
  await pipe(body.body, response, left.signal);
}

/** Without `Connection`: whether it stays open is between the client and Node, which the SDK does not know. */
function getHeaders({ headers }: Response): Record<string, string> {
  const { connection: _, ...shown } = Object.fromEntries(headers);
  return shown;
}

function toWeb({ method = "GET", headers, url = "/" }: IncomingMessage, signal: AbortSignal): Request {
  const known = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) known.append(name, one);
  }
  return new Request(`http://${headers.host ?? "localhost"}${url}`, { method, headers: known, signal });
}

async function pipe(body: ReadableStream<Uint8Array>, response: ServerResponse, left: AbortSignal): Promise<void> {
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  left.addEventListener("abort", leave);
  if (left.aborted) leave();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!response.write(value)) await waitForDrain(response);
    }
    response.end();
  } catch {
    // The response broke off: a partial one must not be taken as complete.
    response.destroy();
  } finally {
    left.removeEventListener("abort", leave);
  }
}

/** Resolves when there is buffer space, or the client has disconnected. */
function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off("drain", go);
      response.off("close", go);
      resolve();
    };
    response.once("drain", go);
    response.once("close", go);
    if (response.destroyed) go();
  });
}
