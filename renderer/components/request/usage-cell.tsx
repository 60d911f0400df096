import type { ReactNode } from "react";
import { unitSides } from "../../../gateway/contract/units.ts";
import type { Receipt, ReceiptTerm, UnitClass } from "../../../gateway/contract/receipt.ts";
import { nothing } from "../ui/figures.tsx";
import { formatCompact, formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";

/** Units that are counted in pieces rather than tokens. */
const pieces = ["image", "character", "second"] as const satisfies readonly UnitClass[];
type Piece = (typeof pieces)[number];

const isPiece = (unit: UnitClass): unit is Piece => pieces.some((piece) => piece === unit);

/** Usage of a request, in its billed units. */
interface Usage {
  /** Input and output tokens; the classes are disjoint, so they can be summed. Null if not counted. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly pieces: readonly { readonly unit: Piece; readonly quantity: number }[];
}

/** Returns the usage without searches and fees: they come with the tokens that they are shown next to. */
export function getUsage({ terms }: Receipt): Usage {
  const counted = terms.flatMap(({ unit, quantity }) => (isPiece(unit) ? [{ unit, quantity }] : []));
  const ofTokens = terms.filter(({ unit }) => unitSides[unit] !== null);
  if (ofTokens.length === 0) return { tokens: null, pieces: counted };
  return { tokens: { input: computeSum(ofTokens, "input"), output: computeSum(ofTokens, "output") }, pieces: counted };
}

function computeSum(terms: readonly ReceiptTerm[], side: "input" | "output"): number {
  return terms.reduce((total, { unit, quantity }) => (unitSides[unit] === side ? total + quantity : total), 0);
}

/** Usage of a request: images or characters if billed so, else input and output tokens. */
export function UsageCell({ receipt }: { readonly receipt: Receipt }): ReactNode {
  const t = useMessages();
  const { tokens, pieces } = getUsage(receipt);
  if (tokens === null && pieces.length === 0) return nothing;
  return (
    <span title={usageInWords(receipt, t, formatCount)}>
      {pieces.length > 0 || tokens === null ? (
        pieces.map(({ unit, quantity }) => t.requests.usageOf[unit](formatCompact(quantity))).join(", ")
      ) : (
        <>
          {formatCompact(tokens.input)} <span className="text-faint">/</span> {formatCompact(tokens.output)}
        </>
      )}
    </span>
  );
}

/** Formats all usage as text for hover and copy; empty if nothing was counted. */
export function usageInWords(receipt: Receipt, t: Messages, format: (count: number) => string): string {
  const { tokens, pieces } = getUsage(receipt);
  const words = pieces.map(({ unit, quantity }) => t.requests.usageOf[unit](format(quantity)));
  if (tokens !== null) words.push(t.requests.usageOf.tokens(format(tokens.input), format(tokens.output)));
  const share = getCachedShare(receipt);
  if (share !== null) words.push(t.requests.cachedOf(share));
  return words.join(", ");
}

export interface SideProps {
  readonly receipt: Receipt;
  /** The classes of unit on this side. */
  readonly classes: readonly UnitClass[];
  readonly side: "input" | "cached" | "output";
}

/** Usage on one side of a request: tokens as a bare number, other units with their name. */
export function SideCell({ receipt, classes, side }: SideProps): ReactNode {
  const { requests } = useMessages();
  const { tokens, pieces } = getSide(receipt, classes);
  if (tokens === null && pieces.length === 0) return nothing;
  const whole = pieces.map(({ unit, quantity }) => requests.usageOf[unit](formatCount(quantity)));
  if (tokens !== null) whole.push(requests.tokensOf[side](formatCount(tokens)));
  const share = side === "input" ? getCachedShare(receipt) : null;
  if (share !== null) whole.push(requests.cachedOf(share));
  return (
    <span className="numeric" title={whole.join(", ")}>
      {share !== null && <span className="mr-1.5 text-meta text-faint">{requests.cachedShare(share)}</span>}
      {pieces.length > 0 || tokens === null
        ? pieces.map(({ unit, quantity }) => requests.shortOf[unit](formatCompact(quantity))).join(", ")
        : formatCompact(tokens)}
    </span>
  );
}

/** Returns the cached share of a request's input tokens in whole percent; null if none were cached. */
export function getCachedShare({ terms }: Receipt): number | null {
  const all = computeSum(terms, "input");
  const cached = terms
    .filter(({ unit }) => unit === "cached_input" || unit === "cached_audio_input")
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return cached === 0 ? null : Math.round((100 * cached) / all);
}

/** Formats a side for copying: tokens as a bare number, anything else with its unit. */
export function sideInWords(receipt: Receipt, classes: readonly UnitClass[], t: Messages): string {
  const { tokens, pieces } = getSide(receipt, classes);
  if (pieces.length === 0) return tokens === null ? "" : String(tokens);
  return pieces.map(({ unit, quantity }) => t.requests.usageOf[unit](String(quantity))).join(", ");
}

/** Separates tokens from other units: the two do not add up. */
function getSide({ terms }: Receipt, classes: readonly UnitClass[]): Omit<Usage, "tokens"> & { tokens: number | null } {
  const counted = terms.filter(({ unit }) => classes.includes(unit));
  const ofTokens = counted.filter(({ unit }) => unitSides[unit] !== null);
  return {
    tokens: ofTokens.length === 0 ? null : ofTokens.reduce((sum, { quantity }) => sum + quantity, 0),
    pieces: counted.flatMap(({ unit, quantity }) => (isPiece(unit) ? [{ unit, quantity }] : [])),
  };
}
