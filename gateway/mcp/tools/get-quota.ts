import * as z from "zod";
import { budgetResetSchema, scopeKindSchema } from "../../contract/budgets.ts";
import { NOBODY, selectSentFields } from "../../core/sessions/identity.ts";
import { dollars, usdFromNano } from "../../lib/money.ts";
import type { CallScope } from "../../services/budgets/budgets.ts";
import type { CallInput } from "../../services/calls/paid-call.ts";
import type { Standing } from "../../services/quota.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool } from "../tool/tool.ts";

const usd = z.number().nonnegative();
const instant = z.string().meta({ format: "date-time" });

const output = z.object({
  key: z.string().describe("Name of the key that this connection uses."),
  limit_usd: usd.nullable().describe("US dollars that the key may spend in one period; null without a limit."),
  used_usd: usd.describe("US dollars that it has spent in this period, calls to the offline sandbox included."),
  held_usd: usd.describe("US dollars held for running calls and video tasks until they end."),
  left_usd: usd.nullable().describe("US dollars that the next call may cost at most; null without a limit."),
  reset: z.enum(["never", "daily", "monthly"]).describe("How often the limit resets, at midnight UTC."),
  resets_at: instant.nullable().describe("When the limit resets next, ISO 8601; null when it never resets."),
  expires_at: instant.nullable().describe("When the key stops working, ISO 8601; null when it does not."),
  models: z
    .array(z.string())
    .nullable()
    .describe("Ids and patterns (with *) of the models that the key may use; null: all."),
  requests_per_minute: z.int().nullable().describe("Requests per minute; null without a limit."),
  concurrency: z.int().nullable().describe("Max concurrent requests; null without a limit."),
  running: z.int().nonnegative().describe("Calls of the key that run now."),
  monthly_budget: z
    .object({ limit_usd: usd, used_usd: usd })
    .nullable()
    .describe("The budget of all keys together for this month, in US dollars; null when there is none."),
  budgets: z
    .array(
      z.object({
        kind: scopeKindSchema.describe("What it bounds."),
        name: z.string().describe("Which one, or a pattern (with *)."),
        reset: budgetResetSchema,
        limit_usd: usd,
        used_usd: usd,
        resets_at: instant,
      }),
    )
    .describe("Further budgets that calls of this client fall under, in US dollars."),
});

/** Creates the tool that returns the key's remaining spend. */
export function getQuotaTool(deps: Pick<ToolDeps, "quota">): Tool {
  return defineTool({
    name: "get_quota",
    title: "Read the quota",
    description:
      "Returns what this key may still spend, in US dollars, when its limit resets, and its other limits. Free. " +
      "Call it before expensive work; to estimate the cost of one call, call quote.",
    input: z.strictObject({}),
    output,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    capability: null,
    async run(call) {
      const standing = await deps.quota.standing(call.input.key, getScope(call.input));
      return { content: [{ type: "text", text: getWords(standing) }], structured: listFacts(standing) };
    },
  });
}

const getScope = ({ app, identity = NOBODY }: CallInput): CallScope => ({
  client: app,
  ...selectSentFields(identity),
});

function listFacts(standing: Standing): z.output<typeof output> {
  const { name, limit, used, reserved: reservedNano, left, models, budget } = standing;
  return {
    key: name,
    limit_usd: getUsd(limit),
    used_usd: usdFromNano(used),
    held_usd: usdFromNano(reservedNano),
    left_usd: getUsd(left),
    reset: standing.reset,
    resets_at: formatTime(standing.resetsAt),
    expires_at: formatTime(standing.expiresAt),
    models: models === null ? null : [...models],
    requests_per_minute: standing.rpm,
    concurrency: standing.concurrency,
    running: standing.inFlight,
    monthly_budget:
      budget === null ? null : { limit_usd: usdFromNano(budget.limit), used_usd: usdFromNano(budget.used) },
    budgets: standing.budgets.map(({ record: { scope, reset, limit_nano }, spent, startsAnew }) => ({
      ...scope,
      reset,
      limit_usd: usdFromNano(limit_nano),
      used_usd: usdFromNano(spent),
      resets_at: new Date(startsAnew).toISOString(),
    })),
  };
}

const PERIODS: Readonly<Record<Standing["reset"], string>> = { never: "", daily: " today", monthly: " this month" };

function getWords(standing: Standing): string {
  const {
    name,
    limit,
    used,
    reserved: reservedNano,
    left,
    reset,
    resetsAt,
    expiresAt,
    models,
    rpm,
    concurrency,
    budget,
  } = standing;
  const running = reservedNano > 0 ? `, ${dollars(reservedNano)} held by running calls` : "";
  const lines = [
    left === null
      ? `The key "${name}" has no spending limit; ${dollars(used)} spent${PERIODS[reset]}.`
      : `The key "${name}" has ${dollars(left)} left for its next call.`,
  ];
  if (limit !== null) lines.push(`Limit ${dollars(limit)}, ${dollars(used)} spent${PERIODS[reset]}${running}.`);
  if (limit !== null && resetsAt !== null) lines.push(`The limit resets at ${formatTime(resetsAt) ?? ""}.`);
  if (budget !== null) {
    lines.push(`All keys together: ${dollars(budget.used)} of ${dollars(budget.limit)} spent this month.`);
  }
  for (const { record, spent } of standing.budgets) {
    const { scope, reset, limit_nano } = record;
    lines.push(
      `The ${scope.kind} "${scope.name}": ${dollars(spent)} of ${dollars(limit_nano)} spent${PERIODS[reset]}.`,
    );
  }
  if (expiresAt !== null) lines.push(`The key expires at ${formatTime(expiresAt) ?? ""}.`);
  if (rpm !== null) lines.push(`At most ${rpm} requests a minute.`);
  if (concurrency !== null) lines.push(`At most ${concurrency} concurrent requests.`);
  if (models !== null) lines.push(`It may use these models only: ${models.join(", ")}.`);
  return lines.join("\n");
}

function getUsd(nano: number | null): number | null {
  return nano === null ? null : usdFromNano(nano);
}

function formatTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
