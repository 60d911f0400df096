import { expect, it } from "vitest";
import { errors } from "../../../../gateway/providers/deepseek/errors.ts";

const message = (message: string, type = "invalid_request_error") => ({
  error: { message, type, param: null, code: "invalid_request_error" },
});

/** Statuses of its error codes; bodies as users of api.deepseek.com report them. */
it.each([
  [400, message("Model Not Exist"), "model_not_found", 404],
  [400, message("The `reasoning_content` in the thinking mode must be passed back to the API."), "bad_request", 400],
  [401, message("Authentication Fails (no such user)", "authentication_error"), "auth", 401],
  [402, message("Insufficient Balance", "unknown_error"), "no_money", 402],
  [200, message("Insufficient Balance", "unknown_error"), "no_money", 200],
  [422, message("Invalid max_tokens value"), "bad_request", 422],
  [429, message("Rate limit reached"), "rate", 429],
  [500, message("Internal error"), "overload", 500],
  [503, message("Service is too busy"), "overload", 503],
])("%i %j is %s", (status, body, kind, reportCount) => {
  expect(errors.fromResponse(status, {}, body)).toMatchObject({
    kind,
    status: reportCount,
    message: body.error.message,
  });
});
