import type { ProviderErrorKind } from "../../core/attempts/provider-error.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { createKindByStatus, readEnvelope, createProviderError } from "../error-envelope.ts";
import type { ErrorEnvelope } from "../error-envelope.ts";
import type { ErrorsAdapter } from "../provider.ts";

/**
 * Three formats: `{error:{message,…}}`, `{code,error:"…"}`, `{error:"…"}` (docs/providers/xai.md#errors). Codes are
 * often sentences, so that only status and message identify the kind.
 */
export const errors: ErrorsAdapter = {
  fromResponse: (status, headers, body) => {
    const envelope = readEnvelope(status, headers, body);
    return createProviderError(envelope, readKind(envelope));
  },
  // An image that was filtered has no address (docs/providers/xai.md#images).
  inResponse: (body) => {
    const data = isRecord(body) ? asList(body["data"]) : [];
    if (!data.some((item) => isRecord(item) && item["respect_moderation"] === false)) return null;
    return {
      kind: "bad_request",
      status: 400,
      message: "The image was filtered by xAI's content moderation. Change the prompt.",
      type: null,
      code: "content_policy_violation",
      param: "prompt",
      retryAfter: null,
    };
  },
};

function readKind({ status, message }: ErrorEnvelope): ProviderErrorKind {
  if (status === 400 && /incorrect api key/i.test(message)) return "auth";
  // "Your newly created team doesn't have any credits…"; the limit of spending is a guess from the same family.
  if ((status === 403 || status === 429) && /\bcredits\b|spending limit/i.test(message)) return "no_money";
  return createKindByStatus(status);
}
