interface Details {
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An error response, in the terms of OpenAI's API (docs/providers/openai.md#errors). */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, details: Details = {}) {
    super(message);
    this.status = status;
    this.type = details.type ?? "invalid_request_error";
    this.code = details.code ?? null;
    this.param = details.param ?? null;
    this.headers = details.headers ?? {};
  }
}

/** OpenAI's envelope of an error. */
export function failureBody({ message, type, param, code }: Failure): string {
  return JSON.stringify({ error: { message, type, param, code } });
}

/** A field with a value that the sandbox cannot serve. */
export function invalidValue(param: string, sentence: string): Failure {
  return new Failure(400, `Invalid value for '${param}': ${sentence}`, { param, code: "invalid_value" });
}

/** A field that must be there and is not. */
export function missing(param: string): Failure {
  return new Failure(400, `Missing required parameter: '${param}'.`, { param, code: "missing_required_parameter" });
}

/** The provider's sentence for a model that it does not have. */
export function modelNotFound(id: string): Failure {
  return new Failure(404, `The model \`${id.slice(0, 200)}\` does not exist or you do not have access to it.`, {
    param: "model",
    code: "model_not_found",
  });
}

/** A result's address that no response has named. */
export function noSuchFile(): Failure {
  return new Failure(404, "The specified key does not exist.", { code: "NoSuchKey" });
}

/** Error fields of OpenAI-compatible providers by status; 402 and 529 are those of other providers of the dialect. */
const KINDS: Readonly<Record<number, Details>> = {
  401: { code: "invalid_api_key" },
  402: { type: "insufficient_quota", code: "insufficient_quota" },
  403: { type: "permission_error" },
  404: { code: "not_found" },
  413: { code: "request_too_large" },
  429: { type: "requests", code: "rate_limit_exceeded", headers: { "retry-after": "1" } },
  503: { type: "service_unavailable_error", code: "slow_down" },
  529: { type: "overloaded_error" },
};

/** Creates the error requested by `sandbox:error=STATUS` (400 to 599) or `sandbox:fail`. */
export function requestedFailure(status: number): Failure {
  const kind = KINDS[status] ?? (status >= 500 ? { type: "server_error" } : {});
  return new Failure(status, `The sandbox was asked to fail with status ${status}.`, kind);
}
