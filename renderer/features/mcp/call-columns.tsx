import { getAppName } from "../../../gateway/contract/apps.ts";
import { useMemo, type ReactNode } from "react";
import type { McpCall } from "../../../gateway/contract/mcp.ts";
import { momentColumn, quietColumn } from "../../components/table/column-kinds.tsx";
import type { Column } from "../../components/table/column.ts";
import { Badge, type Tone } from "../../components/ui/badge.tsx";
import { Cost, costInWords, nothing } from "../../components/ui/figures.tsx";
import { formatDuration } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";

const tones: Record<McpCall["status"], Tone> = {
  running: "info",
  done: "success",
  failed: "danger",
  cancelled: "neutral",
};

/** How far it is while it runs, and why it failed. */
export const wordOn = ({ status, progress, code }: McpCall): string =>
  (status === "running" ? progress : status === "failed" ? code : null) ?? "";

export function CallBadge({ call }: { readonly call: McpCall }): ReactNode {
  const t = useMessages();
  return <Badge tone={tones[call.status]}>{t.mcp.statuses[call.status]}</Badge>;
}

/** Status, with its text if there is space. */
function CallStatus({ call }: { readonly call: McpCall }): ReactNode {
  const word = wordOn(call);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <CallBadge call={call} />
      {word !== "" && (
        <span className="truncate text-meta text-muted max-wide:hidden" title={word}>
          {word}
        </span>
      )}
    </span>
  );
}

/**
 * The cost of a running call is unknown. Without a receipt there is no cost yet, because a video is billed when it is
 * done.
 */
export function CallCost({ call }: { readonly call: McpCall }): ReactNode {
  return hasCost(call) ? <Cost nano={call.nano} sandbox={call.sandbox} /> : nothing;
}

const hasCost = ({ status, nano }: McpCall): boolean => status !== "running" && nano !== 0;

/** Columns of the live calls. `keyName` must be stable. */
export function useCallColumns(keyName: (id: string) => string): readonly Column<McpCall>[] {
  const { t, language } = useSpeech();
  return useMemo(
    () => [
      momentColumn({ id: "time", label: t.mcp.time, track: "84px", from: 420 }, language, (row) => row.at),
      {
        id: "tool",
        label: t.mcp.tool,
        track: "minmax(126px, 1.1fr)",
        essential: true,
        cell: (row) => (
          <code className="font-mono text-meta" title={row.tool}>
            {row.tool}
          </code>
        ),
        text: (row) => row.tool,
      },
      quietColumn({ id: "model", label: t.mcp.model, track: "minmax(96px, 1fr)", from: 620 }, (row) => row.model ?? ""),
      quietColumn({ id: "client", label: t.mcp.client, track: "minmax(112px, 0.8fr)", from: 900 }, (row) =>
        getAppName(row.client),
      ),
      quietColumn({ id: "key", label: t.mcp.key, track: "minmax(80px, 0.8fr)", from: 760 }, (row) => keyName(row.key)),
      {
        id: "status",
        label: t.mcp.status,
        track: "minmax(72px, 2.2fr)",
        essential: true,
        cell: (row) => <CallStatus call={row} />,
        text: (row) => [t.mcp.statuses[row.status], wordOn(row)].filter((each) => each !== "").join(" "),
      },
      {
        id: "duration",
        label: t.mcp.duration,
        track: "76px",
        end: true,
        from: 520,
        cell: (row) => (row.ms === null ? nothing : formatDuration(row.ms)),
        text: (row) => (row.ms === null ? "" : formatDuration(row.ms)),
      },
      {
        id: "cost",
        label: t.mcp.cost,
        track: "clamp(88px, 10%, 100px)",
        end: true,
        essential: true,
        cell: (row) => <CallCost call={row} />,
        text: (row) => (hasCost(row) ? costInWords(row, t) : ""),
      },
    ],
    [t, language, keyName],
  );
}
