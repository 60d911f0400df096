import { isRecord } from "../../lib/records.ts";
import { mapTexts, redact } from "../../lib/redact.ts";
import { GatewayError } from "../errors.ts";
import type { ErrorCode, ErrorDetails } from "../errors.ts";

/**
 * The meaning of a provider's error for us (docs/providers/README.md#retry-classes). `bad_request`: the client's fault,
 * forwarded. `auth`: our key is refused. `no_money`: the provider account is empty. `rate`: too many requests.
 * `overload`: the provider is failing. `loop`: the provider is this Postern itself.
 */
export type ProviderErrorKind = "bad_request" | "model_not_found" | "auth" | "no_money" | "rate" | "overload" | "loop";

/** A provider's error, read tolerantly. */
export interface ProviderError {
  readonly kind: ProviderErrorKind;
  readonly status: number;
  /** The provider's message, not yet redacted. */
  readonly message: string;
  readonly type: string | null;
  readonly code: string | null;
  readonly param: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;
  /** Anthropic's details for programs, not redacted yet. */
  readonly details?: Readonly<Record<string, unknown>>;
}

const GENERIC: Readonly<Record<ProviderErrorKind, ErrorCode>> = {
  bad_request: "invalid_value",
  model_not_found: "model_not_found",
  auth: "vendor_auth",
  no_money: "vendor_out_of_credit",
  rate: "rate_limit_exceeded",
  overload: "upstream_error",
  loop: "loop_detected",
};

/** Default `retry-after` in seconds for a 429 whose provider gave none. */
const DEFAULT_RETRY_AFTER = 5;
/** Server errors that mean the same to our client as they do to us; others become 502. */
const PASSED_ON = new Set([502, 503, 504, 529]);

/** Statuses by which a provider refuses work before it starts. */
const TURNED_AWAY = new Set([503, 529]);

/**
 * Tells whether the provider may have started the work despite this error. True for its own server errors and for all
 * errors of a proxy in front of it, which only knows that no response came. A code or type that differs from the status
 * is taken as the provider's own error.
 */
export function mayHaveStarted({ kind, status, code, type }: ProviderError): boolean {
  if (kind !== "overload") return false;
  const inOwnWords = type !== null || (code !== null && code !== String(status));
  return status === 408 || (status >= 500 && !(inOwnWords && TURNED_AWAY.has(status)));
}

/**
 * Converts a provider's error for the client. The provider's message is forwarded, redacted; a refused provider key is
 * never a 401 for the client, whose own key is valid.
 * @param connection the connection's name.
 */
export function toGatewayError(error: ProviderError, connection: string, secrets: readonly string[]): GatewayError {
  const message = redact(error.message, secrets);
  const code = GENERIC[error.kind];
  const param = error.param === null ? {} : { param: redact(error.param, secrets) };
  switch (error.kind) {
    case "bad_request":
      return new GatewayError(code, message, {
        ...param,
        ...pickAnthropicDetails(error, secrets),
        provider: {
          status: error.status,
          // The provider also chooses these strings, which may quote the request.
          code: error.code === null ? null : redact(error.code, secrets),
          message,
          ...(error.type === null ? {} : { type: redact(error.type, secrets) }),
        },
      });
    case "model_not_found":
      // Providers have a dozen codes for it, or none; clients get a single one.
      return new GatewayError(code, message, { ...param, provider: { message } });
    case "auth":
      return new GatewayError(
        code,
        `${connection} refused the key that Postern holds for it: ${closeSentence(message)} Replace the key on the Providers page.`,
      );
    case "no_money":
      return new GatewayError(code, `The account behind ${connection} is out of credit: ${closeSentence(message)}`);
    case "rate":
      return new GatewayError(code, message, {
        retryAfter: error.retryAfter ?? DEFAULT_RETRY_AFTER,
        provider: { message },
      });
    case "overload": {
      const status = PASSED_ON.has(error.status) ? error.status : 502;
      return new GatewayError(code, `${connection} failed: ${message}`, {
        provider: { status, message },
        uncertain: mayHaveStarted(error),
        ...(error.retryAfter === null ? {} : { retryAfter: error.retryAfter }),
      });
    }
    case "loop":
      return new GatewayError(
        code,
        `${connection} points back at Postern itself. Give it the provider's own base URL.`,
      );
  }
}

/** A sentence that more follows. */
function closeSentence(message: string): string {
  return /[.!?。！？]["”)]?$/u.test(message) ? message : `${message}.`;
}

function pickAnthropicDetails({ details }: ProviderError, secrets: readonly string[]): Pick<ErrorDetails, "anthropic"> {
  if (details === undefined) return {};
  const shown = mapTexts(details, (text) => redact(text, secrets));
  return isRecord(shown) ? { anthropic: shown } : {};
}
