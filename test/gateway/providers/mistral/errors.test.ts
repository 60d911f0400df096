import { expect, it } from "vitest";
import { errors } from "../../../../gateway/providers/mistral/errors.ts";

const detail = [
  {
    type: "extra_forbidden",
    loc: ["body", "messages", 3, "assistant", "foo"],
    msg: "Extra inputs are not permitted",
    input: 1,
  },
  { type: "missing", loc: ["body", "model"], msg: "Field required" },
];
const words = "messages.3.assistant.foo: Extra inputs are not permitted; model: Field required";

/** Bodies as users of api.mistral.ai report them, and the glossary's. */
it.each<[string, number, unknown, string, string, string?]>([
  ["a list in detail", 422, { detail }, "bad_request", words, "messages.3.assistant.foo"],
  [
    "a list in message.detail",
    422,
    { object: "error", message: { detail } },
    "bad_request",
    words,
    "messages.3.assistant.foo",
  ],
  [
    "a list in both",
    422,
    { object: "Error", detail, message: detail, code: 3001 },
    "bad_request",
    words,
    "messages.3.assistant.foo",
  ],
  ["a detail in words", 404, { detail: "Not Found" }, "model_not_found", "Not Found"],
  ["a list of nothing", 422, { detail: [] }, "bad_request", "The provider responded with status 422."],
  [
    "a model that there is not",
    400,
    { object: "error", message: "Invalid model: x", type: "invalid_model", param: null, code: "1500" },
    "model_not_found",
    "Invalid model: x",
  ],
  ["a wrong key", 401, { message: "Unauthorized", request_id: "r" }, "auth", "Unauthorized"],
  ["an empty account", 402, { object: "error", message: "Payment required" }, "no_money", "Payment required"],
  [
    "too many calls",
    429,
    { object: "error", message: "Requests rate limit exceeded", type: "rate_limited", param: null, code: "1300" },
    "rate",
    "Requests rate limit exceeded",
  ],
  ["a bad day", 503, null, "overload", "The provider responded with status 503."],
])("%s (%i)", (_, status, body, kind, message, param) => {
  expect(errors.fromResponse(status, {}, body)).toMatchObject({ kind, message, param: param ?? null });
});
