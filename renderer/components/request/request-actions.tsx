import { FlaskConical, Gauge, Repeat, Shuffle } from "lucide-react";
import { useState } from "react";
import type { ReactNode } from "react";
import type { RequestDetail } from "../../../gateway/contract/requests.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { useGatewayState } from "../../api/queries.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy.tsx";
import { Confirm } from "../ui/dialog.tsx";
import { LimitItems } from "../limits/limit-items.tsx";
import { Menu } from "../ui/menu.tsx";
import { formatMoney } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate, routeHash } from "../../lib/router.ts";
import type { Messages } from "../../locales/messages.ts";
import { formatRequestCurl } from "./copy-request.ts";
import { OtherModelDialog } from "./other-model-dialog.tsx";
import { useResend } from "./use-request.ts";

/** Modes of the playground, by the endpoint of a receipt. */
const PLAYGROUND: Readonly<Record<string, string>> = {
  chat: "chat",
  messages: "chat",
  responses: "chat",
  images: "image",
  edits: "edit",
  speech: "speech",
  transcriptions: "transcription",
  translations: "transcription",
  videos: "video",
  embeddings: "embedding",
};

/** Actions for a finished request. Those that cost money ask first. */
export function RequestActions({ detail }: { readonly detail: RequestDetail }): ReactNode {
  const t = useMessages();
  const { data: state } = useGatewayState();
  const keyName = useKeyNames()(detail.receipt.key);
  const { receipt, recording, resend_obstacle: obstacle } = detail;
  const [asking, setAsking] = useState<"again" | "other" | null>(null);
  const resend = useResend(receipt.id);
  const close = (): void => setAsking(null);
  const send = (model: string | null): void =>
    resend.mutate(model, {
      onSuccess: ({ id }) => {
        close();
        navigate("requests", { id });
      },
    });
  const why = obstacle === null ? undefined : t.requestLog.obstacles[obstacle];
  const kind = PLAYGROUND[receipt.endpoint];
  return (
    <div>
      <div className="flex flex-wrap gap-1.5">
        {recording !== null && (
          <>
            <Button
              icon={<Repeat size={13} aria-hidden />}
              disabled={obstacle !== null}
              title={why}
              onClick={() => setAsking("again")}
            >
              {t.requestLog.replay}
            </Button>
            <Button
              icon={<Shuffle size={13} aria-hidden />}
              disabled={obstacle !== null}
              title={why}
              onClick={() => setAsking("other")}
            >
              {t.requestLog.sendToOther}
            </Button>
          </>
        )}
        <CopyButton
          text={formatRequestCurl(state?.url ?? location.origin, receipt, recording)}
          label={t.requestLog.curl}
        />
        <CopyButton text={JSON.stringify({ receipt, recording }, null, 2)} label={t.requestLog.copyJson} />
        {kind !== undefined && (
          <a
            href={routeHash("playground", { model: receipt.model, kind })}
            className={`${buttonClass("plain")} no-underline`}
          >
            <FlaskConical size={13} aria-hidden />
            {t.requestLog.playground}
          </a>
        )}
        <Menu
          trigger={
            <Button icon={<Gauge size={13} aria-hidden />} aria-label={t.requestLog.limit}>
              {t.requestLog.limit}
            </Button>
          }
        >
          <LimitItems app={receipt.client} project={receipt.project} keyId={receipt.key} />
        </Menu>
      </div>
      {why !== undefined && recording !== null && <p className="mt-1 text-meta text-faint">{why}</p>}
      <Confirm
        open={asking === "again"}
        onClose={close}
        onConfirm={() => send(null)}
        title={t.requestLog.replayTitle}
        description={`${t.requestLog.replayHelp(keyName)} ${getMoney(detail, t)}`}
        action={t.requestLog.replay}
        look="primary"
        busy={resend.isPending}
      />
      <OtherModelDialog
        open={asking === "other"}
        receipt={receipt}
        keyName={keyName}
        busy={resend.isPending}
        onSend={send}
        onClose={close}
      />
    </div>
  );
}

function getMoney({ receipt: { sandbox, nano } }: RequestDetail, t: Messages): string {
  if (sandbox) return t.requestLog.sendSandbox;
  if (nano === null) return t.requestLog.sendUnpriced;
  return nano > 0 ? t.requestLog.sendCost(formatMoney(nano)) : "";
}
