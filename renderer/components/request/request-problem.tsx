import { CircleAlert, CircleSlash, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { Recording } from "../../../gateway/contract/requests.ts";
import { getProblem } from "../../lib/error-sentence.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import type { Messages } from "../../locales/messages.ts";
import { readError } from "./readable.ts";

/** Returns the remedy of an error; null for a provider's own code. Only a request that reached a provider names one. */
export function getRemedy({ code, provider }: Pick<Receipt, "code" | "provider">, t: Messages): string | null {
  if (code === null) return null;
  const remedies: Readonly<Record<string, string>> = t.requestLog.remedies;
  if (code === "rate_limit_exceeded" && provider !== "") return t.requestLog.remedies.provider_rate_limit;
  return Object.hasOwn(remedies, code) ? (remedies[code] ?? null) : null;
}

/** Pages where an error can be fixed. */
const places: Readonly<Record<string, "keys" | "connections" | "models" | "settings">> = {
  insufficient_quota: "keys",
  invalid_api_key: "keys",
  key_expired: "keys",
  key_disabled: "keys",
  model_not_allowed: "keys",
  field_not_allowed: "keys",
  rate_limit_exceeded: "keys",
  concurrency_limit_exceeded: "keys",
  model_not_found: "models",
  endpoint_model_mismatch: "models",
  upstream_error: "connections",
  vendor_auth: "connections",
  vendor_out_of_credit: "connections",
  no_upstream: "connections",
  upstream_timeout: "connections",
  connection_paced: "connections",
  upstream_overloaded: "connections",
  loop_detected: "connections",
  paused: "settings",
};

function getPlace({ code, provider }: Receipt): (typeof places)[string] | undefined {
  if (code === "rate_limit_exceeded" && provider !== "") return "connections";
  return code !== null && Object.hasOwn(places, code) ? places[code] : undefined;
}

export interface RequestProblemProps {
  readonly receipt: Receipt;
  /** Recording whose response may have more details. */
  readonly recording: Recording | null;
}

/** Why a request failed and what to do about it; nothing for one that ended well. */
export function RequestProblem({ receipt, recording }: RequestProblemProps): ReactNode {
  const t = useMessages();
  const problem = getProblem(receipt, t);
  if (problem === null) return null;
  const { code, outcome, status } = receipt;
  const remedy = getRemedy(receipt, t);
  const place = getPlace(receipt);
  const own = receipt.message ?? (recording === null ? "" : readError(recording));
  const failed = status >= 400 && outcome !== "cancelled";
  const Icon = failed ? CircleAlert : outcome === "cancelled" ? CircleSlash : TriangleAlert;
  const tone = failed
    ? "bg-danger-soft text-danger-text"
    : outcome === "cancelled"
      ? "bg-pressed text-muted"
      : "bg-warning-soft text-warning-text";
  return (
    <section
      aria-label={t.requestLog.problem}
      className={`flex gap-2.5 rounded-md px-3 py-2 forced-colors:border ${tone}`}
    >
      <Icon size={15} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 wrap-anywhere">
        <p className="line-clamp-3 font-medium">
          {problem}{" "}
          {code !== null && problem !== code && <code className="font-mono text-meta font-normal">{code}</code>}
        </p>
        {own !== "" && own !== problem && <p className="mt-0.5 line-clamp-3">{own}</p>}
        {remedy !== null && (
          <p className="mt-0.5">
            {remedy} {place !== undefined && <a href={routeHash(place, getLink(place, receipt))}>{t.pages[place]}</a>}
          </p>
        )}
      </div>
    </section>
  );
}

/** The models page finds similar names. */
const getLink = (place: string, { model }: Receipt): Readonly<Record<string, string>> =>
  place === "models" ? { q: model } : {};
