import { getMessage } from "../lib/message-of.ts";

/**
 * Why a call to a provider got no response. `refused`: there was no connection, so nothing was executed.
 * `head_timeout`, `gap_timeout`: silence for too long. `broken`: the connection ended early. `malformed`: not HTTP, or
 * not decodable. `too_large`: over our limit. `aborted`: we ended it ourselves.
 */
export type FailureKind = "refused" | "head_timeout" | "gap_timeout" | "broken" | "malformed" | "too_large" | "aborted";

/** A limit of time that the owner sets (`connect_timeout_s` and so on), and how long it is. */
export interface TimeLimit {
  readonly name: "connect" | "first_byte" | "silence" | "call";
  readonly ms: number;
}

/** A failed transfer. `sent` is false only when it is certain that the provider did not get the request. */
export class UpstreamFailure extends Error {
  override readonly name = "UpstreamFailure";
  readonly kind: FailureKind;
  readonly sent: boolean;
  /** The owner's limit that ended it. */
  readonly limit: TimeLimit | null;

  constructor(kind: FailureKind, sent: boolean, message: string, cause?: unknown, limit: TimeLimit | null = null) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.sent = sent;
    this.limit = limit;
  }
}

/** Postern is stopping: nothing was sent, and nothing will be. */
export const createStopped = (): UpstreamFailure => new UpstreamFailure("aborted", false, "Postern is stopping");

export const CONNECT_TIMEOUT_CODE = "UND_ERR_CONNECT_TIMEOUT";

const KINDS: Readonly<Record<string, FailureKind>> = {
  [CONNECT_TIMEOUT_CODE]: "refused",
  ECONNREFUSED: "refused",
  ENOTFOUND: "refused",
  EAI_AGAIN: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  ENETDOWN: "refused",
  EHOSTDOWN: "refused",
  UND_ERR_HEADERS_TIMEOUT: "head_timeout",
  UND_ERR_BODY_TIMEOUT: "gap_timeout",
  UND_ERR_HEADERS_OVERFLOW: "malformed",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "too_large",
  UND_ERR_ABORTED: "aborted",
};

/** Codes of certificates without a trusted authority (https://nodejs.org/api/tls.html#x509-certificate-error-codes, 2026-11-28). */
const UNTRUSTED = new Set([
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
]);
const UNTRUSTED_ADVICE =
  "this machine does not trust the authority of its certificate. Add that authority to the system's certificates, or name its file in NODE_EXTRA_CA_CERTS, and start Postern again";

/** Converts an error of undici or of the socket; the flag tells whether writing the request had started. */
export function toFailure(error: unknown, hasStarted: boolean): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  // A request that was not written completely did not arrive completely, and no provider executes a part.
  const started = hasStarted && !isWriteError(error);
  const code = getErrorCode(error);
  // Node's own message recommends a flag that an installed app lacks.
  const text = UNTRUSTED.has(code) ? UNTRUSTED_ADVICE : getMessage(error);
  let kind = KINDS[code] ?? (isParserError(error) ? "malformed" : "broken");
  // TLS and address failures happen before anything of ours is written, whatever their code is called.
  if (!started && kind === "broken") kind = "refused";
  if (started && kind === "refused") kind = "broken";
  // Sockets name the code in their text, others only next to it.
  return new UpstreamFailure(kind, started, text.includes(code) ? text : `${code}: ${text}`, error);
}

/** The connection was gone when the request was written. Head and body are written as one. */
function isWriteError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "write";
}

/** Some parser errors have no code. */
function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === "HTTPParserError";
}

/** Reads the code of a socket or undici error; empty if it has none. */
export function getErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  // Happy-eyeballs failures come as an AggregateError whose parts carry the codes.
  if (error instanceof AggregateError) return getErrorCode(error.errors[0]);
  return error.cause === undefined ? "" : getErrorCode(error.cause);
}
