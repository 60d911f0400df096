import type {
  PriceChange,
  PriceChanges,
  PriceListOrigin,
  PriceListView,
} from "../../../gateway/contract/price-list.ts";
import { soldByPiece } from "../../../gateway/contract/units.ts";
import type { Command } from "../command.ts";
import { mirror } from "../mirror.ts";
import { printTable, timeLabel } from "../table.ts";

const DEFAULT_LIMIT = 50;
const NO_RATE = "–";
const NANO_DIGITS = 9;
const PER_MILLION = 1_000_000;

/** All digits of a rate, in USD for a million tokens or for one piece. */
function rateLabel(unit: PriceChange["rates"][number]["unit"], rate: number | null): string {
  if (rate === null) return NO_RATE;
  const usd = rate / 10 ** NANO_DIGITS / (soldByPiece(unit) ? PER_MILLION : 1);
  return `$${usd.toFixed(NANO_DIGITS).replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}

const originLine = ({ url, fetched_at, models }: PriceListOrigin): string =>
  `${models} prices from ${url}, fetched ${timeLabel(fetched_at)} UTC`;

/** Shows the accepted and the offered list. */
function printPriceList({ accepted, offered, problem }: PriceListView): string {
  const lines = [`In use   ${accepted === null ? "the catalog alone" : originLine(accepted)}`];
  if (offered !== null) {
    const { changed, added, removed, unusual, connected } = offered.changes;
    lines.push(
      `Offered  ${originLine(offered)}`,
      `         ${changed} changed (${unusual} unusual), ${added} new, ${removed} gone; ${connected} at your connections`,
      `         "postern prices accept ${offered.id}" bills calls by it from then on.`,
    );
  }
  if (problem !== null) lines.push(`Problem  ${timeLabel(problem.at)} UTC: ${problem.message}`);
  return lines.join("\n");
}

/** A row for each rate; tokens are counted per million. */
function printChanges({ data, total }: PriceChanges): string {
  if (data.length === 0) return "";
  const rows = data.flatMap(({ rates, ...change }) => rates.map((rate) => ({ ...change, ...rate })));
  const text = printTable(rows, {
    HOST: "host",
    MODEL: "model",
    UNIT: ({ unit, above }) => (above === 0 ? unit : `${unit} above ${above}`),
    ">NOW": ({ unit, old }) => rateLabel(unit, old),
    ">THEN": (rate) => rateLabel(rate.unit, rate.new),
    CHANGE: ({ kind, unusual }) => (unusual ? `${kind}, unusual` : kind),
  });
  return total > data.length ? `${text}\n${data.length} of ${total} models. --limit shows more.` : text;
}

export const priceCommands: readonly Command[] = [
  mirror("prices show", "listPriceChanges", "the price list in use, and what the offered one would change", {
    options: {
      all: {
        about: "also at hosts that no connection leads to",
        read: (values, name) => (values.has(name) ? "true" : "false"),
      },
      limit: { value: "N", about: `how many models; ${DEFAULT_LIMIT} without it` },
    },
    input: { limit: DEFAULT_LIMIT },
    async print(changes, { control }) {
      const view = await control.call("priceList");
      const text = [printPriceList(view), printChanges(changes)].filter((part) => part !== "").join("\n\n");
      return { json: { ...view, changes }, text };
    },
  }),
  mirror(
    "prices refresh",
    "refreshPriceList",
    "fetch the price list of the settings; nothing costs otherwise until it is accepted",
    { print: printPriceList },
  ),
  mirror(
    "prices accept",
    "acceptPriceList",
    'bill calls by the offered price list, as "postern prices show" names it',
    {
      id: "id",
      options: {
        unusual: {
          about: "also what is ten times or a tenth of what holds now",
          read: (values, name) => values.has(name),
        },
      },
      print: printPriceList,
    },
  ),
  mirror("prices drop", "dropPriceList", "go back to the prices of the catalog", {
    options: {
      list: {
        name: "offered",
        about: "drop the offered list; the one in use stays",
        read: (values, name) => (values.has(name) ? "offered" : "accepted"),
      },
    },
    print: printPriceList,
  }),
];
