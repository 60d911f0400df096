import type {
  PriceChange,
  PriceChanges,
  PriceListOrigin,
  PriceListView,
} from "../../../gateway/contract/price-list.ts";
import { soldByPiece } from "../../../gateway/contract/receipt.ts";
import type { Command } from "../command.ts";
import { table, timeLabel } from "../table.ts";
import { integerOption } from "../values.ts";

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

/** Shows which list holds and which one is offered. */
export function priceListText({ accepted, offered, problem }: PriceListView): string {
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
export function changeTable({ data, total }: PriceChanges): string {
  if (data.length === 0) return "";
  const rows = data.flatMap(({ host, model, kind, unusual, rates }) =>
    rates.map(({ unit, above, old, new: next }) => [
      host,
      model,
      above === 0 ? unit : `${unit} above ${above}`,
      rateLabel(unit, old),
      rateLabel(unit, next),
      unusual ? `${kind}, unusual` : kind,
    ]),
  );
  const lines = [table(["HOST", "MODEL", "UNIT", ">NOW", ">THEN", "CHANGE"], rows)];
  if (total > data.length) lines.push(`${data.length} of ${total} models. --limit shows more.`);
  return lines.join("\n");
}

export const showPrices: Command = {
  name: "prices show",
  about: "the price list in use, and what the offered one would change",
  options: {
    all: { value: null, about: "also at hosts that no connection leads to" },
    limit: { value: "N", about: `how many models; ${DEFAULT_LIMIT} without it` },
  },
  async run({ control }, values) {
    const view = await control.call("priceList");
    const changes = await control.call("listPriceChanges", {
      all: values.has("all") ? "true" : "false",
      limit: integerOption(values, "limit") ?? DEFAULT_LIMIT,
    });
    const text = [priceListText(view), changeTable(changes)].filter((part) => part !== "").join("\n\n");
    return { json: { ...view, changes }, text };
  },
};

export const refreshPrices: Command = {
  name: "prices refresh",
  about: "fetch the price list of the settings; nothing costs otherwise until it is accepted",
  options: {},
  async run({ control }) {
    const view = await control.call("refreshPriceList");
    return { json: view, text: priceListText(view) };
  },
};

export const acceptPrices: Command = {
  name: "prices accept",
  about: 'bill calls by the offered price list, as "postern prices show" names it',
  takesId: true,
  options: { unusual: { value: null, about: "also what is ten times or a tenth of what holds now" } },
  async run({ control }, values) {
    const view = await control.call("acceptPriceList", { id: values.id, unusual: values.has("unusual") });
    return { json: view, text: priceListText(view) };
  },
};

export const dropPrices: Command = {
  name: "prices drop",
  about: "go back to the prices of the catalog",
  options: { offered: { value: null, about: "drop the offered list; the one in use stays" } },
  async run({ control }, values) {
    const view = await control.call("dropPriceList", { list: values.has("offered") ? "offered" : "accepted" });
    return { json: view, text: priceListText(view) };
  },
};
