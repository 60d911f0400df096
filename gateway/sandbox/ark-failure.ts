import { Failure } from "./fields.ts";

/** How Ark refuses a field. */
export function invalidParameter(param: string, sentence: string): Failure {
  return new Failure(400, `The parameter \`${param}\` specified in the request is not valid: ${sentence}`, {
    code: `InvalidParameter.${param}`,
    param,
  });
}

/** Ark's codes and types by status (docs/providers/ark.md#errors). */
const CODES: Readonly<Record<number, readonly [code: string, type: string]>> = {
  400: ["InvalidParameter", "BadRequest"],
  401: ["AuthenticationError", "Unauthorized"],
  403: ["AccessDenied", "Forbidden"],
  404: ["InvalidEndpointOrModel.NotFound", "NotFound"],
  429: ["ModelAccountRpmRateLimitExceeded", "TooManyRequests"],
  500: ["InternalServiceError", "InternalServerError"],
  503: ["ServiceUnavailable", "ServiceUnavailable"],
};

/** `{error:{code,message,param,type}}`. */
export function arkFailureBody({ status, message, code, param }: Failure): string {
  const [own, type] = CODES[status] ??
    CODES[status < 500 ? 400 : 500] ?? ["InternalServiceError", "InternalServerError"];
  const exact = code !== null && /^[A-Z]/.test(code) ? code : own;
  return JSON.stringify({ error: { code: exact, message, param: param ?? "", type } });
}

/** A field that must be there and is not. */
export function arkMissing(param: string): Failure {
  return new Failure(400, `The request failed because it is missing the parameter \`${param}\`.`, {
    code: "MissingParameter",
    param,
  });
}
