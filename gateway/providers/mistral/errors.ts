import type { ProviderErrorKind } from "../../core/attempts/provider-error.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { buildErrorRecord, createKindByStatus, readEnvelope, createProviderError } from "../error-envelope.ts";
import type { ErrorEnvelope } from "../error-envelope.ts";
import type { ErrorsAdapter } from "../provider.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * `{object:"error",message,type,param,code}` (https://docs.mistral.ai/resources/error-glossary, read 2026-11-23). What is
 * wrong with a body comes as a list of `{type,loc,msg,input}`: in `detail`, in `message`, or in `message.detail`.
 */
export const errors: ErrorsAdapter = {
  fromResponse: (status, headers, body) => {
    const envelope = withDetails(readEnvelope(status, headers, body), findDetails(buildErrorRecord(body)));
    return createProviderError(envelope, readKind(envelope));
  },
};

/** Max details of a message: the first says what to change. */
const MOST_DETAILS = 5;

function findDetails({ detail, message }: Fields): readonly Fields[] {
  const lists = [isRecord(message) ? message["detail"] : message, detail];
  const list: readonly unknown[] = lists.find((one) => Array.isArray(one)) ?? [];
  return list.filter(isRecord).slice(0, MOST_DETAILS);
}

function withDetails(envelope: ErrorEnvelope, details: readonly Fields[]): ErrorEnvelope {
  const [first] = details;
  if (first === undefined) return envelope;
  const sentences = details.map((detail) => [readPlace(detail), readText(detail["msg"])].filter(Boolean).join(": "));
  return {
    ...envelope,
    message: sentences.filter(Boolean).join("; ").slice(0, 2_000) || envelope.message,
    param: envelope.param ?? (readPlace(first) || null),
  };
}

/** `["body","messages",3,"role"]` as `messages.3.role`. */
function readPlace({ loc }: Fields): string {
  const path = asList(loc);
  return path.filter((step, index) => index > 0 || step !== "body").join(".");
}

const readText = (value: unknown): string => (typeof value === "string" ? value : "");

/** Names of models that do not exist: the glossary's, and the one that users see with a 400. */
const NO_MODEL: ReadonlySet<string> = new Set(["unknown_model", "invalid_model"]);

function readKind({ status, type, code }: ErrorEnvelope): ProviderErrorKind {
  return NO_MODEL.has(code ?? "") || NO_MODEL.has(type ?? "") ? "model_not_found" : createKindByStatus(status);
}
