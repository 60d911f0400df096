import { getAppName } from "../../../gateway/contract/apps.ts";
import type { ReactNode } from "react";
import type { McpCall } from "../../../gateway/contract/mcp.ts";
import { Modal } from "../../components/ui/dialog.tsx";
import { CodeFact, Fact } from "../../components/ui/facts.tsx";
import { SkeletonRows } from "../../components/ui/states.tsx";
import { formatDuration, formatMoment } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { RequestDialog } from "../../components/request/request-dialog.tsx";
import { useRequest } from "../../components/request/use-request.ts";
import { CallBadge, CallCost, wordOn } from "./call-columns.tsx";

export interface CallDialogProps {
  readonly call: McpCall | undefined;
  readonly keyName: (id: string) => string;
  readonly onClose: () => void;
}

/** A call that has a receipt shows it as any request does; another shows what is known of it. */
export function CallDialog({ call, keyName, onClose }: CallDialogProps): ReactNode {
  const t = useMessages();
  // Only model calls have a receipt, once they have ended.
  const hasReceipt = call !== undefined && call.status !== "running" && call.model !== null;
  const { data, isLoading } = useRequest(call?.id ?? "", hasReceipt);
  const receipt = hasReceipt ? data?.receipt : undefined;
  if (call === undefined) return <Modal open={false} onClose={onClose} title={t.mcp.call} />;
  if (receipt !== undefined) {
    return <RequestDialog id={receipt.id} known={receipt} onClose={onClose} />;
  }
  return (
    <Modal open onClose={onClose} title={t.mcp.call} size="large">
      {isLoading ? <SkeletonRows rows={6} /> : <CallFacts call={call} keyName={keyName} />}
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
        <Fact label={t.mcp.client}>
          <span title={call.client}>{getAppName(call.client)}</span>
        </Fact>
        <Fact label={t.mcp.key}>{keyName(call.key)}</Fact>
        <Fact label={t.mcp.cost}>
          <CallCost call={call} />
        </Fact>
      </dl>
      <p className="mt-3 text-meta text-faint">{call.status === "running" ? t.mcp.stillRunning : t.mcp.noReceipt}</p>
    </div>
  );
}
