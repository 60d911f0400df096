import type { RequestId } from "@modelcontextprotocol/server";
import type { ErrorCode } from "../../core/errors.ts";

/** Refusals and other responses of the transport itself, as the revisions with sessions have them. */

/** Returns one text for every reason, so that no client learns whether an id exists, is another client's or has ended. */
export function notFound(): Response {
  return refusal(404, -32_001, "not_found", "Session not found");
}

/** Refuses a request without a session that is not `initialize`. */
export function sessionMissing(): Response {
  const message =
    "This request names no session. Send `initialize` first, and the Mcp-Session-Id of its response with all that follows.";
  return refusal(400, -32_000, "missing_required_parameter", message);
}

/** Refuses an `initialize` without its parameters. */
export function badInitialize(id: RequestId | null): Response {
  const message =
    "`initialize` needs params.protocolVersion, params.capabilities and params.clientInfo with name and version.";
  return refusal(400, -32_602, "missing_required_parameter", message, id);
}

/** Refuses a batch of messages. */
export function oneMessage(): Response {
  return refusal(
    400,
    -32_600,
    "invalid_body",
    "A request holds one JSON-RPC message. Send the messages of a batch one by one.",
  );
}

/** Refuses a second request under an id that is still in use. */
export function sameId(id: RequestId): Response {
  const message =
    "A request with this id still runs in this session. Give each request an id of its own; to get a lost response, come " +
    "back by GET with Last-Event-ID.";
  return refusal(400, -32_600, "conflict", message, id);
}

/** Refuses a body that cannot be read. */
export function notJson(): Response {
  return refusal(400, -32_700, "invalid_json", "The body is no JSON. Send one JSON-RPC message.");
}

/** Refuses if every session is busy, so that none can be evicted. */
export function tooMany(): Response {
  const message =
    "All sessions that may be open at once are at work. Wait until a call has ended, or end a session by DELETE.";
  return refusal(429, -32_000, "concurrency_limit_exceeded", message, null, { "retry-after": "5" });
}

/** While Postern ends. */
export function stopping(): Response {
  return refusal(503, -32_000, "shutting_down", "Postern is stopping. Connect again in a moment.", null, {
    "retry-after": "2",
  });
}

/** Refuses methods that the transport does not have. */
export function notAllowed(): Response {
  return refusal(405, -32_000, "method_not_allowed", "Method not allowed. Sessions take POST, GET and DELETE.", null, {
    allow: "POST, GET, DELETE",
  });
}

/**
 * Responds to a client that reconnects to a stream it has read completely. By the protocol a GET gets a stream or this
 * status, which clients treat as the end of the stream. (Version 1 of the TypeScript SDK reconnects after every
 * JSON-RPC error, since only results end a call there.)
 */
export function nothingMore(): Response {
  return refusal(405, -32_000, "method_not_allowed", "This stream is over, and you have all of it.", null, {
    allow: "POST, DELETE",
  });
}

/**
 * Ends a call whose response is lost, for a client that still waits. After an error status, clients would retry twice
 * and then wait until their own timeout.
 * @param id event id; a client that reconnects with it gets `nothingMore`.
 */
export function lostResponse(request: RequestId, id: string): Response {
  const message =
    "The response to this call is gone: Postern was started again while the call ran, or you came back too late. Look into " +
    "the library and the list of requests before you call again: what was made may be there, and a second call may cost again.";
  const error = JSON.stringify({ jsonrpc: "2.0", id: request, error: { code: -32_000, message } });
  return new Response(`event: message\nid: ${id}\ndata: ${error}\n\n`, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" },
  });
}

function refusal(
  status: number,
  number: number,
  code: ErrorCode,
  message: string,
  id: RequestId | null = null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(
    { jsonrpc: "2.0", error: { code: number, message, data: { code, status } }, id },
    { status, headers },
  );
}
