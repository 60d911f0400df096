import type { ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { nothing } from "../ui/figures.tsx";
import { formatCompact, formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { usageOf } from "./receipt-usage.ts";

/** What a request used: images or characters where it was counted in those, else tokens in and out. */
export function UsageCell({ receipt }: { readonly receipt: Receipt }): ReactNode {
  const t = useMessages();
  const { tokens, pieces } = usageOf(receipt);
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

/** All of it in words, for hover and copy; empty when nothing was counted. */
export function usageInWords(receipt: Receipt, t: Messages, format: (count: number) => string): string {
  const { tokens, pieces } = usageOf(receipt);
  const words = pieces.map(({ unit, quantity }) => t.requests.usageOf[unit](format(quantity)));
  if (tokens !== null) words.push(t.requests.usageOf.tokens(format(tokens.input), format(tokens.output)));
  return words.join(", ");
}
