import type { ControlOutput } from "../../../gateway/contract/control.ts";
import type { UsageGroup, UsageRange } from "../../../gateway/contract/usage.ts";
import { hoursOfToday, localDays, periodBefore, type LocalPeriod } from "../../../gateway/core/usage/local-period.ts";
import {
  DAY_MS,
  HOUR_MS,
  periodBetween,
  createPeriod,
  type UsagePeriod,
} from "../../../gateway/core/usage/usage-period.ts";
import { usageCells, usageSeries } from "../../../gateway/core/usage/usage-series.ts";
import type { UsageSums } from "../../../gateway/core/usage/usage-sums.ts";
import { emptyTotals } from "../../../gateway/core/usage/usage-totals.ts";
import { dayAfter, findDay } from "../../../gateway/lib/zone.ts";
import { sourceOf, type Bucketed } from "../../support/usage-sources.ts";
import { MODEL_IDS } from "./receipts.ts";

/** What a month of work looks like, for the fake control server: counted by the gateway's own sums. */
const uses = [
  { model: MODEL_IDS[1], key: "key_2", client: "Claude Code", endpoint: "messages", share: 9, nano: 41_000, ms: 5_200 },
  {
    model: MODEL_IDS[4],
    key: "key_3",
    client: "Codex",
    endpoint: "responses",
    share: 5,
    nano: 23_000,
    ms: 3_900,
  },
  { model: MODEL_IDS[0], key: "key_1", client: "OpenAI SDK", endpoint: "chat", share: 7, nano: 2_100, ms: 1_400 },
  { model: MODEL_IDS[2], key: "key_3", client: "curl", endpoint: "chat", share: 3, nano: 900, ms: 2_300 },
  { model: MODEL_IDS[3], key: "key_1", client: "OpenAI SDK", endpoint: "chat", share: 2, nano: 0, ms: 7_800 },
  {
    model: "gpt-image-1-mini",
    key: "key_1",
    client: "OpenAI SDK",
    endpoint: "images",
    share: 1,
    nano: 90_000,
    ms: 14_000,
  },
  { model: "eta-4-large", key: "key_2", client: "curl", endpoint: "embeddings", share: 2, nano: 1_200, ms: 240 },
] as const;

/** Agents whose logs are imported. */
const AGENTS: readonly string[] = ["Claude Code", "Codex"];
/** What logs do not have. */
const UNLOGGED = {
  errors: 0,
  unknown_requests: 0,
  estimated_requests: 0,
  estimated_nano: 0,
  durations: {},
  first_durations: {},
};

function rowsAt(at: number, step: number, source: string): Bucketed[] {
  const rows = countedAt(at, step);
  const logged = rows
    .filter(({ row }) => AGENTS.includes(row.client))
    .map((one) => ({ ...one, row: { ...one.row, ...UNLOGGED } }));
  return [...(source === "logs" ? [] : rows), ...(source === "postern" ? [] : logged)];
}

function countedAt(at: number, step: number): Bucketed[] {
  const day = new Date(at).getUTCDay();
  const quiet = step === DAY_MS && (day === 0 || day === 6) ? 0.15 : 1;
  return uses.flatMap((use, index) => {
    const wave = ((Math.floor(at / step) * 7_919 + index * 104_729) % 97) / 97;
    const requests = Math.round(use.share * (step === DAY_MS ? 24 : 2) * (0.4 + wave) * quiet);
    if (requests === 0) return [];
    const tokens = requests * (900 + Math.round(wave * 2_000));
    const bucket = Math.round(Math.log2(use.ms * (0.7 + wave * 0.5)) * 8);
    const row: UsageSums = {
      ...emptyTotals(),
      key: use.key,
      model: use.model,
      client: use.client,
      endpoint: use.endpoint,
      requests,
      errors: index === 1 ? Math.floor(requests / 40) : 0,
      input_tokens: tokens,
      cached_input_tokens: Math.round(tokens * 0.6),
      output_tokens: Math.round(tokens * 0.12),
      nano: use.nano * requests * 30,
      unpriced_requests: use.nano === 0 ? requests : 0,
      unknown_requests: index === 1 ? 1 : 0,
      estimated_requests: index === 1 ? 2 : 0,
      estimated_nano: index === 1 ? use.nano * 60 : 0,
      sandbox_requests: index === 2 ? 2 : 0,
      sandbox_nano: index === 2 ? 310_000 : 0,
      cache_saved_nano: use.nano * requests * 12,
      durations: { [bucket]: requests, [bucket + 11]: Math.ceil(requests / 12) },
      first_durations: { [Math.max(1, bucket - 18)]: requests, [bucket - 4]: Math.ceil(requests / 14) },
    };
    return [{ at, row }];
  });
}

/** The response to `GET /control/usage/series` or `…/cells`, or to `GET /control/usage` by day. */
export function usageResponse({ pathname, searchParams }: URL, now = Date.now()): unknown {
  if (pathname === "/control/usage") return thisMonth(now, searchParams.get("by") as UsageGroup | "day" | null);
  const by = (searchParams.get("by") ?? "model") as UsageGroup;
  const groups = Number(searchParams.get("groups") ?? 8);
  const { parts, utcUntil, ...period } = periodAsked(searchParams, now);
  const { bucket, buckets, from, to } = period;
  const source = searchParams.get("source") ?? "postern";
  const rowsIn = (one: string) =>
    sourceOf(
      buckets.flatMap((at, place) =>
        (parts[place] ?? []).flatMap((part) =>
          rowsAt(part.at, part.unit === "day" ? DAY_MS : HOUR_MS, one).map(({ row }) => ({ at, row })),
        ),
      ),
    );
  const rows = rowsIn(source);
  if (pathname.endsWith("/cells")) {
    const chosen = source === "both" ? ["postern", "logs"] : [source];
    const data = chosen.flatMap((one) =>
      usageCells(rowsIn(one), buckets, by).map((cell) => ({ ...cell, source: one })),
    );
    return { bucket, data };
  }
  const reported = { bucket, from, to, utc_until: utcUntil, rebuilding: null };
  return { ...reported, ...usageSeries(rows, buckets, by, groups) };
}

/** The hours that a Postern has kept for so long. */
const KEPT_MS = 32 * DAY_MS;

function periodAsked(request: URLSearchParams, now: number): LocalPeriod {
  const [zone, range] = [request.get("zone") ?? "UTC", (request.get("range") ?? "30d") as UsageRange];
  const earlier = request.get("when") === "before";
  const whole = (period: UsagePeriod): LocalPeriod => {
    const parts = period.buckets.map((at) => [{ unit: period.bucket, at }]);
    return { ...period, parts, utcUntil: null };
  };
  const [today, days] = [findDay(zone, now), range === "7d" ? 7 : 30];
  let [since, until] = [request.get("since"), request.get("until")];
  if (since === null || until === null) {
    if (range === "today") return whole(hoursOfToday(zone, today, now, earlier ? 1 : 0));
    if (range === "24h") return whole(earlier ? periodBefore(createPeriod(range, now)) : createPeriod(range, now));
    [since, until] = [dayAfter(today, 1 - days), today];
  }
  const count = (Date.parse(until) - Date.parse(since)) / DAY_MS + 1;
  if (earlier) [since, until] = [dayAfter(since, -count), dayAfter(since, -1)];
  const local = zone === "UTC" ? null : localDays(zone, since, until, now - KEPT_MS);
  const utc = whole(periodBetween(Date.parse(since), Date.parse(until)));
  return local ?? { ...utc, utcUntil: zone === "UTC" ? null : utc.to };
}

/** The UTC month so far by a group, by day without one. */
function thisMonth(now: number, by: UsageGroup | "day" | null): ControlOutput<"usage"> {
  const today = new Date(now).toISOString().slice(0, 10);
  const since = `${today.slice(0, 7)}-01`;
  const { buckets } = periodBetween(Date.parse(since), Date.parse(today));
  const isByDay = by === null || by === "day";
  const source = sourceOf(buckets.flatMap((at) => rowsAt(at, DAY_MS, "postern")));
  const { total, buckets: days, groups } = usageSeries(source, buckets, isByDay ? "model" : by, 50);
  if (!isByDay) return { since, until: today, total, data: groups.map(({ group, totals }) => ({ group, totals })) };
  const data = days.map(({ at, totals }) => ({ group: new Date(at).toISOString().slice(0, 10), totals }));
  return { since, until: today, total, data };
}
