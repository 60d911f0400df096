import type { ControlOutput } from "../../../gateway/contract/control.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { outlook } from "../../../gateway/core/money/outlook.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import { sourceFilterSchema, type SourceFilter } from "../../../gateway/contract/list.ts";
import type { Command, CommandValues } from "../command.ts";
import { printTable } from "../table.ts";
import { choiceOption, given, timeOption } from "../values.ts";

/** Label of the remaining clients, models of calls that reached no provider, and the like. */
const NAMELESS = "(other)";

/** Requests without any known price have no sum. */
const costLabel = ({ nano, unpriced_requests }: Totals): string =>
  nano === 0 && unpriced_requests > 0 ? "unpriced" : moneyLabel(nano);

/**
 * Prints sums per group and in total; tokens in whole numbers, sandbox calls only in their own column. Images and
 * characters count in the cost, but are not summed.
 */
function printUsage(usage: ControlOutput<"usage">, by: string): string {
  const period = usage.since === usage.until ? usage.since : `${usage.since} to ${usage.until}`;
  const columns =
    "INPUT and OUTPUT are tokens; CACHED and REASONING are part of them. " +
    "ESTIMATED requests are those whose provider reported no usage, UNKNOWN those of them without a received response.";
  const groups = usage.data.map(({ group, totals }) => ({ ...totals, group: group === "" ? NAMELESS : group }));
  const rows = printTable([...groups, { ...usage.total, group: "all" }], {
    [by.toUpperCase()]: "group",
    ">REQUESTS": "requests",
    ">ERRORS": "errors",
    ">CANCELLED": "cancelled_requests",
    ">INPUT": "input_tokens",
    ">CACHED": "cached_input_tokens",
    ">OUTPUT": "output_tokens",
    ">REASONING": "reasoning_tokens",
    ">COST": costLabel,
    ">UNPRICED": "unpriced_requests",
    ">UNKNOWN": "unknown_requests",
    ">ESTIMATED": ({ estimated_requests: requests, estimated_nano: nano }) =>
      requests === 0 ? 0 : `${requests} (${moneyLabel(nano)})`,
    ">SANDBOX": "sandbox_requests",
  });
  return `${period}, UTC. ${columns}\n${rows}`;
}

export const source = { value: "SOURCE", about: "postern, logs (usage imported from agents' logs) or both" } as const;
export const until = { value: "DAY", about: "last day; without it today" } as const;

export const readSource = (values: CommandValues): SourceFilter | undefined =>
  choiceOption(values, "source", sourceFilterSchema.options);

export const showUsage: Command = {
  name: "usage",
  about: "what was used and what it cost",
  options: {
    since: { value: "ISO", about: "first day; without it the first of this month" },
    until,
    source,
    by: { value: "GROUP", about: "model, key, client, endpoint, project or day" },
  },
  async run({ control }, values) {
    const since = timeOption(values, "since");
    const by = choiceOption(values, "by", ["model", "key", "client", "endpoint", "project", "day"]) ?? "model";
    const day = since === undefined ? undefined : new Date(since).toISOString().slice(0, 10);
    const [until, from] = [values.text("until"), readSource(values)];
    const usage = await control.call("usage", { by, ...given({ since: day, until, source: from }) });
    // Past periods have no forecast.
    const money = since === undefined && until === undefined ? outlook(await control.call("state"), [], []) : [];
    return { json: usage, text: [printUsage(usage, by), ...money].join("\n") };
  },
};
