import type { ReactNode } from "react";
import { getKeptParts, listMissReasons, type MissReason } from "../../../gateway/contract/prefix-reasons.ts";
import type { PromptPrefix } from "../../../gateway/contract/prompt-prefix.ts";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { formatCount, formatDuration, formatMoney, formatMoneyExact } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import type { Messages } from "../../locales/messages.ts";
import { Fact } from "../ui/facts.tsx";

/** Names the leading parts that a request repeats of the one before. */
function nameKept({ prefix, context }: Receipt & { readonly prefix: PromptPrefix }, t: Messages): string {
  const { cache } = t.sessions;
  const { tools, system, messages } = getKeptParts(prefix);
  const parts = [
    ...(tools && context?.tools !== 0 ? [cache.tools] : []),
    ...(system && context?.system !== 0 ? [cache.system] : []),
    ...(messages > 0 ? [cache.messages(formatCount(messages))] : []),
  ];
  return parts.length === 0 ? cache.keptNothing : cache.kept(parts.join(t.app.comma));
}

function nameReason(reason: MissReason, prefix: PromptPrefix, t: Messages): string {
  const { reasons } = t.sessions.cache;
  const idle = formatDuration(prefix.idle_ms);
  switch (reason) {
    case "changed":
    case "removed":
      return reasons[reason](formatCount(prefix.kept + 1));
    case "short":
      return reasons.short(formatCount(prefix.least ?? 0));
    case "expired":
      return reasons.expired(prefix.marks === "1h" ? 60 : 5, idle);
    case "rule":
      return reasons.rule(idle);
    default:
      return reasons[reason];
  }
}

/** Says what was read again, at which cost, and why; empty if nothing was, and nothing changed. */
function Missed({ prefix }: { readonly prefix: PromptPrefix }): ReactNode {
  const t = useMessages();
  const { cache } = t.sessions;
  const { missed, missed_nano: nano } = prefix;
  const reasons = listMissReasons(prefix).map((reason) => nameReason(reason, prefix, t));
  if (missed === null) return cache.unreported;
  if (missed === 0) return reasons.join(t.app.comma);
  const cost = nano === null ? cache.unknownCost : cache.cost(formatMoney(nano));
  return (
    <span
      className="text-warning-text"
      title={nano === null ? cache.costHelp : `${formatMoneyExact(nano)} · ${cache.costHelp}`}
    >
      {cache.missed(formatCount(missed), cost, reasons.join(t.app.comma))}
    </span>
  );
}

/** Line of a session's request: what it repeats of the one before, and what its provider read again. */
export function PrefixLine({ receipt }: { readonly receipt: Receipt }): ReactNode {
  const t = useMessages();
  const { prefix } = receipt;
  if (prefix === undefined) return null;
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-meta text-muted">
      <span>{nameKept({ ...receipt, prefix }, t)}</span>
      <Missed prefix={prefix} />
    </p>
  );
}

/** Shows the same as a fact of a `<dl>`, with a link to the earlier request. */
export function PrefixFact({ receipt }: { readonly receipt: Receipt }): ReactNode {
  const t = useMessages();
  const { prefix } = receipt;
  if (prefix === undefined) return null;
  return (
    <Fact label={t.sessions.cache.title}>
      <span className="flex flex-col">
        <span>
          {nameKept({ ...receipt, prefix }, t)}{" "}
          <a href={routeHash("requests", { id: prefix.after })} className="whitespace-nowrap">
            {t.sessions.cache.earlier}
          </a>
        </span>
        <Missed prefix={prefix} />
      </span>
    </Fact>
  );
}
