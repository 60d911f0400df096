import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { Cost } from "../../../components/ui/figures.tsx";
import { formatDuration } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.tsx";
import { routeHash } from "../../../lib/router.ts";

/** First response of a provider, with its latency and a link. */
export function SuccessLine({ response }: { readonly response: Receipt }): ReactNode {
  const t = useMessages();
  const { id, model, client, ms, nano, sandbox } = response;
  return (
    <output
      aria-label={t.firstRun.success}
      className="fresh flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line bg-success-soft px-3.5 py-2"
    >
      <CircleCheck size={16} aria-hidden className="shrink-0 text-success-text" />
      <span className="font-medium text-success-text">{t.firstRun.success}</span>
      <span className="min-w-0 truncate">{t.firstRun.successOf(model, client)}</span>
      <span className="numeric">{formatDuration(ms)}</span>
      <Cost nano={nano} sandbox={sandbox} />
      <a href={routeHash("requests", { id })}>{t.firstRun.openRequest}</a>
    </output>
  );
}
