import type { ControlOutput } from "../../../gateway/contract/control.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { outlook } from "../../../gateway/core/money/outlook.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import type { Command } from "../command.ts";
import { table } from "../table.ts";
import { choiceOption, given, timeOption } from "../values.ts";

const headings = [
  ">REQUESTS",
  ">ERRORS",
  ">CANCELLED",
  ">INPUT",
  ">CACHED",
  ">OUTPUT",
  ">REASONING",
  ">COST",
  ">UNPRICED",
  ">UNKNOWN",
  ">ESTIMATED",
  ">SANDBOX",
];

/** Clients beyond those that are told apart, models of calls that reached no one, and the like. */
const NAMELESS = "(other)";

/** Requests without any known price have no sum. */
const costLabel = ({ nano, unpriced_requests }: Totals): string =>
  nano === 0 && unpriced_requests > 0 ? "unpriced" : moneyLabel(nano);

function cells(totals: Totals): string[] {
  return [
    String(totals.requests),
    String(totals.errors),
    String(totals.cancelled_requests),
    String(totals.input_tokens),
    String(totals.cached_input_tokens),
    String(totals.output_tokens),
    String(totals.reasoning_tokens),
    costLabel(totals),
    String(totals.unpriced_requests),
    String(totals.unknown_requests),
    totals.estimated_requests === 0 ? "0" : `${totals.estimated_requests} (${moneyLabel(totals.estimated_nano)})`,
    String(totals.sandbox_requests),
  ];
}

/**
 * Sums per group and the sum of all; tokens in whole numbers, sandbox calls in their own column only. Images and
 * characters are in the cost: no one sums their numbers.
 */
export function usageTable(usage: ControlOutput<"usage">, by: string): string {
  const rows = usage.data.map((row) => [row.group === "" ? NAMELESS : row.group, ...cells(row.totals)]);
  const period = usage.since === usage.until ? usage.since : `${usage.since} to ${usage.until}`;
  const columns =
    "INPUT and OUTPUT are tokens; CACHED and REASONING are part of them. " +
    "ESTIMATED requests are those whose provider reported no usage, UNKNOWN those of them without a received response.";
  return `${period}, UTC. ${columns}\n${table([by.toUpperCase(), ...headings], [...rows, ["all", ...cells(usage.total)]])}`;
}

export const showUsage: Command = {
  name: "usage",
  about: "what was used and what it cost",
  options: {
    since: { value: "ISO", about: "first day; without it the first of this month" },
    by: { value: "GROUP", about: "model, key, client, endpoint, project or day" },
  },
  async run({ control }, values) {
    const since = timeOption(values, "since");
    const by = choiceOption(values, "by", ["model", "key", "client", "endpoint", "project", "day"]) ?? "model";
    const day = since === undefined ? undefined : new Date(since).toISOString().slice(0, 10);
    const usage = await control.call("usage", { by, ...given({ since: day }) });
    // Nothing of another period ends any more.
    const money = since === undefined ? outlook(await control.call("state"), [], []) : [];
    return { json: usage, text: [usageTable(usage, by), ...money].join("\n") };
  },
};
