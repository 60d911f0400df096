import type { Receipt } from "../../gateway/contract/receipt.ts";
import type { Messages } from "../locales/messages.ts";
import type { Language, Spoken } from "./i18n.tsx";

/** The gateway's error: its code and its message, which is English. */
export interface Refusal {
  /** Null without a code. A provider's own code is not localized. */
  readonly code: string | null;
  readonly message: string;
}

/** Language of the gateway's messages: they are complete, and need no translation next to them. */
const GATEWAY_LANGUAGE: Language = "en";

/** Codes whose localized sentence is complete: the gateway's message adds only links that the pages show anyway. */
const WHOLE: ReadonlySet<string> = new Set<keyof Messages["errors"]["codes"]>([
  "conflicting_credentials",
  "forbidden_host",
  "forbidden_origin",
  "headers_too_large",
  "invalid_control_token",
  "key_disabled",
  "key_expired",
  "local_only",
  "media_link_expired",
  "method_not_allowed",
  "paused",
  "upgrade_refused",
]);

/** Returns the localized sentence for an error code; null for a provider's own code. */
export function formatCodeInWords(code: string | null, { codes, others }: Messages["errors"]): string | null {
  if (code === null) return null;
  for (const known of [codes, others] as readonly Readonly<Record<string, string>>[]) {
    if (Object.hasOwn(known, code)) return known[code] ?? null;
  }
  return null;
}

/** Returns the gateway's own message next to the translated one, quoted if it is foreign. */
export function formatDetailInWords({ code, message }: Refusal, errors: Messages["errors"]): string | undefined {
  return code !== null && WHOLE.has(code) ? undefined : errors.quoted(message);
}

/**
 * Formats an error in the pages' language. If that differs from the gateway's, the code's localized sentence is used,
 * and the gateway's message quoted if it has more details.
 */
export function formatRefusalInWords(refusal: Refusal, { language, t }: Spoken): string {
  if (language === GATEWAY_LANGUAGE) return refusal.message;
  return `${formatCodeInWords(refusal.code, t.errors) ?? ""}${formatDetailInWords(refusal, t.errors) ?? ""}`;
}

/** Why a request did not end well, in one short sentence; null for one that did. */
export function getProblem(receipt: Receipt, t: Messages): string | null {
  const { code, outcome, status } = receipt;
  if (code !== null) return formatCodeInWords(code, t.errors) ?? code;
  if (outcome === "completed") return status < 400 ? null : String(status);
  return t.requests.outcomeHelp[outcome];
}

/** Formats the error sentence that the client received, if its receipt has it; else as `getProblem`. */
export function formatProblemInWords(receipt: Receipt, spoken: Spoken): string | null {
  const { code, message } = receipt;
  return message === undefined ? getProblem(receipt, spoken.t) : formatRefusalInWords({ code, message }, spoken);
}

/** Formats the tooltip of a problem: its sentence, the code's text, and the code. */
export function formatProblemTooltip(receipt: Receipt, spoken: Spoken): string {
  const label = getProblem(receipt, spoken.t) ?? "";
  const { code, message } = receipt;
  const named = code === null || code === label ? label : `${label} ${code}`;
  return message === undefined ? named : `${message}\n${named}`;
}
