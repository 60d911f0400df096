import { getAppName } from "../../../gateway/contract/apps.ts";
import { statusClassSchema } from "../../../gateway/contract/list.ts";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { getFigures } from "../../../gateway/contract/request-figures.ts";
import type { RequestPage } from "../../../gateway/contract/requests.ts";
import { moneyLabel } from "../../policy/money-label.ts";
import type { Command } from "../command.ts";
import { mirror } from "../mirror.ts";
import { printFacts, printTable, timeLabel } from "../table.ts";
import { limitRows, timeOption } from "../values.ts";
import { prefixLabel } from "./prefix-label.ts";

const secondsLabel = (ms: number | null): string | null => (ms === null ? null : (ms / 1_000).toFixed(1));

/** Formats the cost of one request: a sandbox call costs no real money, and an unknown price is not $0. */
export const costLabel = ({ sandbox, nano }: Receipt): string =>
  sandbox ? "sandbox" : nano === null ? "unpriced" : moneyLabel(nano);

/** Splits the tokens of a request by side; cached tokens are part of the input. */
export function countTokens(receipt: Receipt): Readonly<Record<"input" | "output" | "cached", number>> {
  const { tokens, output_tokens: output } = getFigures(receipt);
  const cached = receipt.terms.reduce(
    (sum, { unit, quantity }) => (unit.startsWith("cached_") ? sum + quantity : sum),
    0,
  );
  return { input: tokens - output, output, cached };
}

/** A row for each request, times in UTC. */
function printRequests({ data, cursor, rebuilding }: RequestPage): string {
  const more = [
    ...(cursor === null ? [] : ["There are more. --limit shows them."]),
    ...(rebuilding === null ? [] : [`The index is being rebuilt, ${rebuilding} %: there may be more.`]),
  ];
  if (data.length === 0) return ["There are no such requests.", ...more].join("\n");
  const rows = printTable(
    data.map((receipt) => ({ ...receipt, ...countTokens(receipt) })),
    {
      ID: "id",
      TIME: "at",
      APP: ({ client }) => getAppName(client),
      MODEL: "model",
      OUTCOME: ({ code, outcome }) => code ?? outcome,
      ">INPUT": "input",
      ">CACHED": "cached",
      ">OUTPUT": "output",
      ">SECONDS": ({ ms }) => secondsLabel(ms),
      ">COST": costLabel,
    },
  );
  return [rows, ...more].join("\n");
}

export const requestCommands: readonly Command[] = [
  mirror("requests", "listRequests", "requests, newest first: who asked what, how it ended, what it cost", {
    options: {
      limit: limitRows("how many", 20),
      q: {
        value: "WORDS",
        name: "search",
        about: "only those that hold these words: in ids, names, errors, recordings",
      },
      client: { value: "NAME", name: "app", about: "only those of this app, as the list names it" },
      model: { value: "MODEL", about: "only those of this model" },
      project: { value: "NAME", about: "only those in the folder of this name" },
      session: { value: "ID", about: "only those of this session" },
      status: { value: "CLASS", about: statusClassSchema.options.join(", ") },
      since: { value: "DATE", about: "only from this ISO date or time on, UTC", read: timeOption },
      until: { value: "DATE", about: "only before this ISO date or time, UTC", read: timeOption },
    },
    print: printRequests,
  }),
  mirror("requests show", "getRequest", "the receipt of one request: its outcome, times, tokens and price", {
    print: ({ receipt }) =>
      printFacts({
        Request: receipt.id,
        Time: `${timeLabel(receipt.at)} (UTC)`,
        App: getAppName(receipt.client),
        Endpoint: receipt.endpoint,
        Model: receipt.model,
        Provider: receipt.provider,
        Project: receipt.project,
        Session: receipt.session,
        Outcome: receipt.code === null ? receipt.outcome : `${receipt.outcome} (${receipt.code})`,
        Status: receipt.status,
        Error: receipt.message,
        "Provider calls": receipt.attempts,
        "Seconds to the first byte": secondsLabel(receipt.first_ms),
        Seconds: secondsLabel(receipt.ms),
        Cost: `${costLabel(receipt)}${receipt.estimated ? " (estimated)" : ""}`,
        Price: receipt.price && `${receipt.price.source}, as of ${receipt.price.as_of}`,
        Cache: receipt.prefix && prefixLabel(receipt.prefix),
        ...Object.fromEntries(
          receipt.terms.map(({ unit, quantity, nano }) => [`  ${unit}`, `${quantity}, ${moneyLabel(nano)}`]),
        ),
      }),
  }),
];
