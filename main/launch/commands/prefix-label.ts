import { getKeptParts, listMissReasons } from "../../../gateway/contract/prefix-reasons.ts";
import type { MissReason } from "../../../gateway/contract/prefix-reasons.ts";
import type { PromptPrefix } from "../../../gateway/contract/prompt-prefix.ts";
import { moneyLabel } from "../../policy/money-label.ts";

/** Names the leading parts of a prompt that are the same as in the request before. */
export function keptLabel(prefix: PromptPrefix): string {
  const { tools, system, messages } = getKeptParts(prefix);
  const parts = [tools && "tools", system && "system", messages > 0 && `${messages} of ${prefix.of} messages`];
  return parts.filter(Boolean).join(", ") || "nothing";
}

/** Names why tokens were read again. */
export const reasonsLabel = (prefix: PromptPrefix): string =>
  listMissReasons(prefix)
    .map((reason) => reasonLabel(reason, prefix))
    .join(", ");

function reasonLabel(reason: MissReason, { kept, least, marks, idle_ms }: PromptPrefix): string {
  const idle = `${Math.round(idle_ms / 1_000)} s`;
  switch (reason) {
    case "changed":
    case "removed":
      return `message ${kept + 1} ${reason}`;
    case "short":
      return `below ${least} tokens`;
    case "unmarked":
      return "no cache marks";
    case "expired":
      return `${idle} passed, the cache lasts ${marks}`;
    case "rule":
      return `the provider's rule, after ${idle}`;
    default:
      return `${reason} changed`;
  }
}

/** Describes in one line what the cache of a provider did with a prompt. */
export function prefixLabel(prefix: PromptPrefix): string {
  const { missed, missed_nano: nano, after } = prefix;
  const reasons = reasonsLabel(prefix);
  const cost = nano === null ? "at an unknown price" : `${moneyLabel(nano)} more`;
  const again = missed === null ? "no cache reported" : missed === 0 ? "" : `${missed} tokens read again, ${cost}`;
  return [`unchanged since ${after}: ${keptLabel(prefix)}`, again, reasons].filter((part) => part !== "").join("; ");
}
