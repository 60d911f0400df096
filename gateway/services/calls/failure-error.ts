import { GatewayError } from "../../core/errors.ts";
import { redact } from "../../lib/redact.ts";
import type { TimeLimit, UpstreamFailure } from "../../upstream/failure.ts";
import type { Connection, Credential } from "../connections/connection.ts";

/** A transfer that brought no response, in the client's terms. */
export function failureError(failure: UpstreamFailure, connection: Connection, credential: Credential): GatewayError {
  const message = redact(failure.message, credential.secret === null ? [] : [credential.secret]);
  const { name, origin } = connection;
  const uncertain = failure.sent;
  const advice = failure.limit === null ? "" : raiseInWords(failure.limit);
  switch (failure.kind) {
    case "refused":
      return new GatewayError(
        "no_upstream",
        `${name} cannot be reached at ${origin}. Check that it runs and that you are online${advice}. (${message})`,
        { retryAfter: 5, uncertain, cause: failure },
      );
    case "head_timeout":
    case "gap_timeout":
      return new GatewayError(
        "upstream_timeout",
        `${name} took too long to respond: ${message}${advice}. It may have executed the request; try again if that does no harm.`,
        { uncertain, cause: failure },
      );
    case "too_large":
      return new GatewayError(
        "upstream_error",
        `${name} sent more than a response to this request can hold, so it was stopped. Check its base URL.`,
        { uncertain, cause: failure },
      );
    case "malformed":
      return new GatewayError(
        "upstream_error",
        `${name} sent a response that cannot be read. Check its base URL. (${message})`,
        { uncertain, cause: failure },
      );
    case "aborted":
      return new GatewayError(
        "shutting_down",
        failure.sent
          ? `Postern was stopped before ${name} had responded. It may have executed the request; try again if that does no harm.`
          : "Postern is stopping. Send the request again when it runs.",
        { uncertain, cause: failure },
      );
    default:
      return new GatewayError(
        "upstream_error",
        `${name} broke off before its response was complete. It may have executed the request; try again if that does no harm.`,
        { uncertain, cause: failure },
      );
  }
}

/** Labels of the settings. */
const LIMITS: Readonly<Record<TimeLimit["name"], string>> = {
  connect: "Connect",
  first_byte: "First byte",
  silence: "Silence",
  call: "Whole call",
};

function raiseInWords({ name, ms }: TimeLimit): string {
  return `; if it is only slow, raise "${LIMITS[name]}" (${name}_timeout_s, ${ms / 1_000} s) in the settings, under Network`;
}

/** How long a request waits for its turn at a connection with a pace, ms. */
export const LONGEST_TURN_MS = 5_000;

/**
 * Creates the error of a request that timed out waiting for a connection's rate limit. @param delay ms until the next
 * slot
 */
export function createPacedError({ name, pace }: Connection, delay: number): GatewayError {
  const limits = [
    ...(pace.rpm === null ? [] : [`${pace.rpm} a minute`]),
    ...(pace.concurrency === null ? [] : [`${pace.concurrency} at the same time`]),
  ];
  return new GatewayError(
    "connection_paced",
    `"${name}" gets at most ${limits.join(" and ")} (its pace on the Providers page), and no turn came within ${LONGEST_TURN_MS / 1_000} s. Try again later, raise its pace, or connect another provider of the model.`,
    { retryAfter: Math.ceil(delay / 1_000) },
  );
}
