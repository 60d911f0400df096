import { GatewayError } from "../../core/errors.ts";
import { toGatewayError } from "../../core/attempts/provider-error.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { failureError } from "./failure-error.ts";
import type { Opened } from "./attempts.ts";
import { inBandError } from "./whole-answer.ts";
import type { Ending } from "./stream-relay.ts";

/** Whether the provider answers with server-sent events. */
export function isEventStream({ exchange }: Opened): boolean {
  return (exchange.headers["content-type"] ?? "").trimStart().toLowerCase().startsWith("text/event-stream");
}

/** What the client is told in-band about an ending that was not its own; null when there is nothing to tell. */
export function endingError(ending: Ending, opened: Opened): GatewayError | null {
  const { connection } = opened.candidate;
  const secrets = opened.credential.secret === null ? [] : [opened.credential.secret];
  switch (ending.kind) {
    case "complete":
    case "gone":
      return null;
    case "stopped":
      return ending.error;
    case "error":
      return toGatewayError(inBandError(opened, ending.body), connection.name, secrets);
    case "malformed":
      return malformedStream(connection.name, ending.why);
    case "broken":
      return failureError(
        ending.failure ?? new UpstreamFailure("broken", true, "the stream ended early"),
        connection,
        opened.credential,
      );
  }
}

/** The provider sent something in its stream that no client could read. */
export function malformedStream(name: string, why: string): GatewayError {
  return new GatewayError("upstream_error", `${name} sent ${why} in its stream, so it was ended.`);
}
