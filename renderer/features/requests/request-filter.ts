import { outcomeSchema } from "../../../gateway/contract/receipt.ts";
import { statusClassSchema, type RequestFilter } from "../../../gateway/contract/requests.ts";
import { startOfDay } from "../../lib/typed.ts";

/** The filters of the Requests page, as its address holds them. */
export const filterParams = [
  "q",
  "status",
  "outcome",
  "model",
  "key",
  "client",
  "endpoint",
  "vendor",
  "range",
  "from",
  "to",
] as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const rangeMs = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 168 * HOUR_MS, "30d": 720 * HOUR_MS } as const;
export type RangeName = keyof typeof rangeMs;
export const rangeNames = Object.keys(rangeMs) as readonly RangeName[];
export const isRange = (text: string | null): text is RangeName => text !== null && Object.hasOwn(rangeMs, text);

/** The part of an address that says which requests are shown: the same text means the same list. */
export function listPart(params: URLSearchParams): string {
  const kept = filterParams.flatMap((name) => {
    const value = params.get(name);
    return value === null || value === "" ? [] : [[name, value]];
  });
  return new URLSearchParams(kept).toString();
}

/** What an address asks for. What is misspelt in it is passed over. */
export function filterOf(params: URLSearchParams, now: number): Partial<RequestFilter> {
  const status = statusClassSchema.options.find((each) => each === params.get("status"));
  const outcome = outcomeSchema.options.find((each) => each === params.get("outcome"));
  const texts = (["model", "key", "client", "endpoint", "vendor"] as const).flatMap((name) => {
    const value = params.get(name) ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
  const q = (params.get("q") ?? "").trim().slice(0, 100);
  return {
    ...Object.fromEntries(texts),
    ...(q !== "" && { q }),
    ...(status !== undefined && { status }),
    ...(outcome !== undefined && { outcome }),
    ...momentsOf(params, now),
  };
}

function momentsOf(params: URLSearchParams, now: number): Pick<Partial<RequestFilter>, "since" | "until"> {
  const range = params.get("range");
  if (isRange(range)) return { since: Math.floor((now - rangeMs[range]) / MINUTE_MS) * MINUTE_MS };
  const [since, until] = [startOfDay(params.get("from")), startOfDay(params.get("to"), 1)];
  return { ...(since !== null && { since }), ...(until !== null && { until }) };
}

export const hasFilter = (params: URLSearchParams): boolean =>
  filterParams.some((name) => (params.get(name) ?? "") !== "");

export const noFilter: Readonly<Record<string, null>> = Object.fromEntries(filterParams.map((name) => [name, null]));
