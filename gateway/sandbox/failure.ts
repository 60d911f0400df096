/** An answer that is an error, in the words and the shape of OpenAI's API (docs/providers/openai.md#errors). */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    details: { type?: string; code?: string; param?: string; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.type = details.type ?? "invalid_request_error";
    this.code = details.code ?? null;
    this.param = details.param ?? null;
    this.headers = details.headers ?? {};
  }
}

/** OpenAI's envelope of an error. */
export function failureBody(failure: Failure): string {
  const { message, type, param, code } = failure;
  return JSON.stringify({ error: { message, type, param, code } });
}

/** A field with a value that the provider would refuse. */
export function invalidValue(param: string, sentence: string): Failure {
  return new Failure(400, `Invalid value for '${param}': ${sentence}`, { param, code: "invalid_value" });
}

/** A field of the wrong JSON type. */
export function invalidType(param: string, expected: string): Failure {
  return new Failure(400, `Invalid type for '${param}': expected ${expected}.`, { param, code: "invalid_type" });
}

/** A field that must be there and is not. */
export function missing(param: string): Failure {
  return new Failure(400, `Missing required parameter: '${param}'.`, { param, code: "missing_required_parameter" });
}

/** The provider's sentence for a model that it does not have. */
export function modelNotFound(id: string): Failure {
  return new Failure(404, `The model \`${id}\` does not exist or you do not have access to it.`, {
    param: "model",
    code: "model_not_found",
  });
}

interface Kind {
  readonly type: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What OpenAI-compatible providers send with these statuses; 402 and 529 are those of other providers of the dialect. */
const KINDS: Readonly<Record<number, Kind>> = {
  401: { type: "invalid_request_error", code: "invalid_api_key" },
  402: { type: "insufficient_quota", code: "insufficient_quota" },
  403: { type: "permission_error" },
  404: { type: "invalid_request_error", code: "not_found" },
  413: { type: "invalid_request_error", code: "request_too_large" },
  429: { type: "requests", code: "rate_limit_exceeded", headers: { "retry-after": "1" } },
  503: { type: "service_unavailable_error", code: "slow_down" },
  529: { type: "overloaded_error" },
};

/** The error that a prompt asked for with `sandbox:error=STATUS` (400 to 599) or `sandbox:fail`. */
export function requestedFailure(status: number): Failure {
  const kind = KINDS[status] ?? { type: status >= 500 ? "server_error" : "invalid_request_error" };
  return new Failure(status, `The sandbox was asked to fail with status ${status}.`, kind);
}
