import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { McpCall } from "../../../gateway/contract/mcp.ts";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { Modal } from "../../components/ui/dialog.tsx";
import { CodeFact, Fact } from "../../components/ui/facts.tsx";
import { SkeletonRows } from "../../components/ui/states.tsx";
import { formatDuration, formatMoment } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { RequestDialog } from "../../components/request/request-dialog.tsx";
import { CallBadge, CallCost, wordOn } from "./call-columns.tsx";

export interface CallDialogProps {
  readonly call: McpCall | undefined;
  readonly keyName: (id: string) => string;
  readonly onClose: () => void;
}

/** A call that has a receipt shows it as any request does; another shows what is known of it. */
export function CallDialog({ call, keyName, onClose }: CallDialogProps): ReactNode {
  const t = useMessages();
  const { receipt, pending } = useReceipt(call);
  if (call === undefined) return <Modal open={false} onClose={onClose} title={t.mcp.call} />;
  if (receipt !== undefined) {
    return <RequestDialog id={receipt.id} known={receipt} onClose={onClose} />;
  }
  return (
    <Modal open onClose={onClose} title={t.mcp.call} size="large">
      {pending ? <SkeletonRows rows={6} /> : <CallFacts call={call} keyName={keyName} />}
    </Modal>
  );
}

function CallFacts({
  call,
  keyName,
}: Required<Omit<CallDialogProps, "call" | "onClose">> & { readonly call: McpCall }) {
  const { t, language } = useSpeech();
  return (
    <div className="px-4 pt-2 pb-4">
      <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-1">
        <CodeFact label={t.requests.id} text={call.id} />
        <Fact label={t.mcp.tool}>
          <code className="font-mono text-meta">{call.tool}</code>
        </Fact>
        {call.model !== null && <Fact label={t.mcp.model}>{call.model}</Fact>}
        <Fact label={t.mcp.time}>{formatMoment(call.at, language)}</Fact>
        <Fact label={t.mcp.status}>
          <CallBadge call={call} />
        </Fact>
        {wordOn(call) !== "" && (
          <Fact label={call.status === "failed" ? t.requests.errorCode : t.mcp.progress}>{wordOn(call)}</Fact>
        )}
        {call.ms !== null && <Fact label={t.mcp.duration}>{formatDuration(call.ms)}</Fact>}
        <Fact label={t.mcp.client}>{call.client}</Fact>
        <Fact label={t.mcp.key}>{keyName(call.key)}</Fact>
        <Fact label={t.mcp.cost}>
          <CallCost call={call} />
        </Fact>
      </dl>
      <p className="mt-3 text-meta text-faint">{call.status === "running" ? t.mcp.stillRunning : t.mcp.noReceipt}</p>
    </div>
  );
}

/** As many of a key's newest receipts as are looked through: more calls than are shown. */
const LOOKED_THROUGH = 500;

/** The receipt of a call that is over; only calls of models have one. */
function useReceipt(call: McpCall | undefined): { readonly receipt: Receipt | undefined; readonly pending: boolean } {
  const { client } = useGateway();
  const wanted = call !== undefined && call.status !== "running" && call.model !== null;
  const { data, isLoading } = useQuery({
    queryKey: [queryNames.mcpReceipt, call?.id],
    queryFn: async () => {
      const { data: rows } = await client.call("listRequests", { limit: LOOKED_THROUGH, key: call?.key ?? "" });
      return rows.find(({ id }) => id === call?.id) ?? null;
    },
    enabled: wanted,
  });
  return { receipt: data ?? undefined, pending: wanted && isLoading };
}
