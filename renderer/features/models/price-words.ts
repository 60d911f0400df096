import type { ModelView, PriceView, Rates } from "../../../gateway/contract/model-view.ts";
import { unitClassSchema } from "../../../gateway/contract/receipt.ts";
import { soldByPiece } from "../../../gateway/contract/units.ts";
import { formatRate } from "../../lib/format.ts";
import type { Messages } from "../../locales/messages.ts";

type Unit = keyof Rates;

/** Units in the order of a price list. */
const UNITS: readonly Unit[] = unitClassSchema.options;

const getRate = (unit: Unit, rate: number): string => formatRate(rate, soldByPiece(unit) ? 1 : 1_000_000);

/** A price in a few words: "$2.50 in · $10.00 out", "$0.10 to $0.15 per second". Tokens are per million. */
export function shortPrice(price: PriceView, t: Messages): string {
  const rates = price.tiers[0]?.rates ?? {};
  const known = UNITS.filter((unit) => rates[unit] !== undefined);
  if (known.length > 0 && price.variants.length === 0 && known.every((unit) => rates[unit] === 0)) return t.models.free;
  const parts: string[] = [];
  for (const unit of ["second", "image", "character", "request"] as const) {
    const span = getSpan(price, unit);
    if (span !== null) parts.push(t.models.per[unit](span));
  }
  const { input, output, image_output: drawn } = rates;
  if (input !== undefined) parts.push(t.models.inShort(getRate("input", input)));
  if (output !== undefined) parts.push(t.models.outShort(getRate("output", output)));
  if (drawn !== undefined) parts.push(t.models.drawnShort(getRate("image_output", drawn)));
  return parts.join(" · ");
}

/** Formats a price for narrow pages: "$2.5/$10" for input and output tokens, else in brief. */
export function narrowPrice(price: PriceView, t: Messages): string {
  const { input, output } = price.tiers[0]?.rates ?? {};
  const words = shortPrice(price, t);
  if (input === undefined || output === undefined || words === t.models.free) return words;
  const withoutZeros = (rate: string): string => rate.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  return [getRate("input", input), getRate("output", output)].map(withoutZeros).join("/");
}

/** Formats a single figure, or the range of the prices of sizes, qualities and resolutions. */
function getSpan({ tiers, variants }: PriceView, unit: Unit): string | null {
  const found = [tiers[0]?.rates, ...variants.map(({ rates }) => rates)].flatMap((rates) => rates?.[unit] ?? []);
  if (found.length === 0) return null;
  const [least, most] = [Math.min(...found), Math.max(...found)];
  return least === most ? getRate(unit, least) : `${getRate(unit, least)}–${getRate(unit, most)}`;
}

/** A line of a price list. */
export interface PriceLine {
  readonly label: string;
  readonly words: string;
}

/** Rates that hold under one condition; an empty one for always. */
export interface PriceBlock {
  readonly condition: string;
  readonly lines: readonly PriceLine[];
}

/** The whole price: its first rates, those of longer prompts, those of sizes, qualities and resolutions. */
export function priceBlocks(price: PriceView, t: Messages): readonly PriceBlock[] {
  const tiers = price.tiers.map(({ above, rates }) => ({
    condition: above === 0 ? "" : t.models.above(above.toLocaleString("en-US")),
    lines: getLines(rates, t),
  }));
  const variants = price.variants.map(({ when, rates }) => ({
    condition: Object.values(when).join(", "),
    lines: getLines(rates, t),
  }));
  return [...tiers, ...variants].filter(({ lines }) => lines.length > 0);
}

function getLines(rates: Rates, t: Messages): readonly PriceLine[] {
  return UNITS.flatMap((unit) => {
    const rate = rates[unit];
    if (rate === undefined) return [];
    return [{ label: t.models.units[unit], words: t.models.unitPrice[priceKind(unit)](getRate(unit, rate)) }];
  });
}

function priceKind(unit: Unit): "tokens" | "character" | "each" | "second" {
  if (unit === "character" || unit === "second") return unit;
  return soldByPiece(unit) ? "each" : "tokens";
}

/** Returns notes on a price: the cost of other service tiers, and its end. */
export function priceNotes({ factors, until }: PriceView, t: Messages): readonly string[] {
  const served = Object.entries(factors ?? {}).flatMap(([fact, values]) =>
    Object.entries(values).map(([value, factor]) => t.models.factor(fact, value, String(factor))),
  );
  return until === undefined ? served : [...served, t.models.until(until)];
}

/** Formats the source of a price: the user, or a document. */
export const sourceInWords = ({ price, own_price }: ModelView, t: Messages): string =>
  price === null ? "" : own_price ? t.models.ownSource(price.as_of) : t.models.source(price.source, price.as_of);
