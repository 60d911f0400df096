import type * as z from "zod";
import { createKeySchema, type CreateKey, type KeyView, type Reset } from "../../../gateway/contract/key.ts";

export type Expiry = "never" | "week" | "month" | "quarter" | "date" | "keep";

/** Whether something is allowed; `limits`: only while models and spend are not limited. */
export type Leave = "limits" | "allow" | "refuse";

/** A key's limits in the form: text, so that partial numbers are kept. */
export interface KeyDraft {
  readonly name: string;
  readonly limit: string;
  readonly reset: Reset;
  readonly models: string;
  readonly expiry: Expiry;
  /** `YYYY-MM-DD`, for `expiry: "date"`. */
  readonly date: string;
  readonly rpm: string;
  readonly concurrency: string;
  readonly hostedTools: Leave;
  readonly storedObjects: Leave;
  readonly masksSecrets: boolean;
  /** Words, one per line. */
  readonly maskWords: string;
  /** Whether Ollama requests without a key use it. */
  readonly ollamaDefault: boolean;
}

export const emptyDraft: KeyDraft = {
  name: "",
  limit: "",
  reset: "never",
  models: "",
  expiry: "never",
  date: "",
  rpm: "",
  concurrency: "",
  hostedTools: "limits",
  storedObjects: "limits",
  masksSecrets: false,
  maskWords: "",
  ollamaDefault: false,
};

export type KeyField = "name" | "limit_usd" | "models" | "expires_at" | "rpm" | "concurrency" | "mask_words";
const fields: readonly KeyField[] = ["name", "limit_usd", "models", "expires_at", "rpm", "concurrency", "mask_words"];

export type ReadDraft =
  | { readonly ok: true; readonly limits: CreateKey }
  | { readonly ok: false; readonly invalid: ReadonlySet<KeyField> };

export function getDraft(key: KeyView): KeyDraft {
  return {
    name: key.name,
    limit: key.limit_usd === null ? "" : String(key.limit_usd),
    reset: key.reset,
    models: (key.models ?? []).join(", "),
    expiry: key.expires_at === null ? "never" : "keep",
    date: "",
    rpm: key.rpm === null ? "" : String(key.rpm),
    concurrency: key.concurrency === null ? "" : String(key.concurrency),
    hostedTools: getLeave(key.hosted_tools),
    storedObjects: getLeave(key.stored_objects),
    masksSecrets: key.mask_secrets === true,
    maskWords: key.mask_words ?? "",
    ollamaDefault: key.ollama_default,
  };
}

const DAY_MS = 86_400_000;
const days = { week: 7, month: 30, quarter: 90 } as const;

/** The ids and globs of the form's text. */
export const findModels = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((model) => model.trim())
    .filter((model) => model !== "");

/**
 * Parses the form into limits, with the contract's bounds.
 * @param now Unix milliseconds, base of "in 30 days"
 * @param before the changed key: its expiry is kept for `expiry: "keep"`, and an unchanged limit is omitted, even above
 * today's max
 */
export function readDraft(draft: KeyDraft, now: number, before: KeyView | null = null): ReadDraft {
  const models = findModels(draft.models);
  const expires = getExpiry(draft, now, before?.expires_at ?? null);
  const limit = getNumber(draft.limit);
  const result = createKeySchema.safeParse({
    name: draft.name,
    limit_usd: before !== null && limit === before.limit_usd ? undefined : limit,
    reset: draft.reset,
    models: models.length === 0 ? null : models,
    expires_at: expires,
    rpm: getNumber(draft.rpm),
    concurrency: getNumber(draft.concurrency),
    hosted_tools: getSetting(draft.hostedTools),
    stored_objects: getSetting(draft.storedObjects),
    mask_secrets: draft.masksSecrets || null,
    mask_words: draft.maskWords.trim() || null,
    ollama_default: draft.ollamaDefault,
  });
  const invalid = new Set(result.success ? [] : getFields(result.error));
  if (draft.expiry === "date" && expires !== null && !(expires > now)) invalid.add("expires_at");
  return result.success && invalid.size === 0 ? { ok: true, limits: result.data } : { ok: false, invalid };
}

function getLeave(setting: boolean | null): Leave {
  if (setting === null) return "limits";
  return setting ? "allow" : "refuse";
}

function getSetting(leave: Leave): boolean | null {
  return leave === "limits" ? null : leave === "allow";
}

/** Empty means "no limit"; an invalid number is NaN, which the schema refuses. */
function getNumber(text: string): number | null {
  const trimmed = text.trim().replace(/^\$/, "");
  return trimmed === "" ? null : Number(trimmed);
}

/** The expiry is the end of the chosen day: a key "until the 5th" still works on the 5th. */
function getExpiry(draft: KeyDraft, now: number, current: number | null): number | null {
  if (draft.expiry === "never") return null;
  if (draft.expiry === "keep") return current;
  if (draft.expiry === "date") return new Date(`${draft.date}T23:59:59.999`).getTime();
  return now + days[draft.expiry] * DAY_MS;
}

function getFields(error: z.ZodError): KeyField[] {
  return error.issues.flatMap(({ path }) => fields.find((field) => field === path[0]) ?? []);
}

/** The field that a refusal of the gateway names, when the form has it. */
export function getFieldNamed(param: string | null): KeyField | undefined {
  return fields.find((field) => field === param?.split(/[.[]/)[0]);
}
