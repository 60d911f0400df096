import { useMemo, type ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { momentColumn, quietColumn } from "../../components/table/column-kinds.tsx";
import type { Column } from "../../components/table/column.ts";
import { Cost, costInWords, nothing } from "../../components/ui/figures.tsx";
import { formatDuration } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { UsageCell, usageInWords } from "./usage-cell.tsx";

/** The status of an answer: the number, and red where it failed. */
export function Status({ receipt }: { readonly receipt: Receipt }): ReactNode {
  const { t } = useSpeech();
  const failed = receipt.status >= 400;
  const cut = receipt.outcome === "interrupted" || receipt.outcome === "unknown" ? receipt.outcome : null;
  const tone = failed ? "text-danger-text" : cut !== null ? "text-warning-text" : "text-success-text";
  return (
    <span className={`numeric ${tone}`} title={receipt.code ?? t.requests.outcomeHelp[receipt.outcome]}>
      {cut === null ? receipt.status : t.requests.cut[cut]}
    </span>
  );
}

/** A request that failed before anything could be billed: "$0.00" would not be true. */
function isUnbilled({ terms, nano }: Receipt): boolean {
  return terms.length === 0 && nano === 0;
}

export function useRequestColumns(keyName: (id: string) => string): readonly Column<Receipt>[] {
  const { t, language } = useSpeech();
  return useMemo(
    () => [
      momentColumn(
        { id: "time", label: t.requests.time, track: "clamp(72px, 9%, 84px)", essential: true },
        language,
        (row) => row.at,
      ),
      {
        id: "model",
        label: t.requests.model,
        track: "minmax(72px, 1.6fr)",
        essential: true,
        cell: (row) => <span title={row.model}>{row.model}</span>,
        text: (row) => row.model,
      },
      quietColumn(
        { id: "client", label: t.requests.client, track: "minmax(80px, 1fr)", from: 820 },
        (row) => row.client,
      ),
      quietColumn({ id: "key", label: t.requests.key, track: "minmax(80px, 1fr)", from: 640 }, (row) =>
        keyName(row.key),
      ),
      {
        id: "tokens",
        label: t.requests.usage,
        track: "124px",
        end: true,
        from: 540,
        cell: (row) => <UsageCell receipt={row} />,
        text: (row) => usageInWords(row, t, String),
      },
      {
        id: "cost",
        label: t.requests.cost,
        // Wide enough for $0.00000004, the price of a short text's embedding.
        track: "clamp(88px, 11%, 108px)",
        end: true,
        essential: true,
        cell: (row) => (isUnbilled(row) ? nothing : <Cost nano={row.nano} sandbox={row.sandbox} />),
        text: (row) => (isUnbilled(row) ? "" : costInWords(row, t)),
      },
      {
        id: "first",
        label: t.requests.firstByte,
        track: "76px",
        end: true,
        from: 900,
        cell: (row) =>
          row.first_ms === null ? nothing : <span className="text-muted">{formatDuration(row.first_ms)}</span>,
        text: (row) => (row.first_ms === null ? "" : formatDuration(row.first_ms)),
      },
      {
        id: "duration",
        label: t.requests.duration,
        track: "76px",
        end: true,
        from: 420,
        cell: (row) => formatDuration(row.ms),
        text: (row) => formatDuration(row.ms),
      },
      {
        id: "status",
        label: t.requests.status,
        track: "clamp(36px, 8%, 64px)",
        end: true,
        essential: true,
        cell: (row) => <Status receipt={row} />,
        text: (row) => `${row.status} ${t.requests.outcomes[row.outcome]}`,
      },
    ],
    [t, language, keyName],
  );
}
