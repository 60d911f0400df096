import type { ReactNode } from "react";
import { useGateway } from "../../api/gateway.tsx";
import { useGatewayState } from "../../api/queries.ts";
import { formatMoney, formatMoneyExact } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { Dot, type Tone } from "../ui/badge.tsx";

/** At the sidebar's foot: the state, today's spend, what is in flight. */
export function StatusFoot(): ReactNode {
  const t = useMessages();
  const { connected } = useGateway();
  const { data: state } = useGatewayState();
  if (state === undefined) return null;
  const port = new URL(state.url).port;
  const [tone, text]: [Tone, string] =
    connected === false
      ? ["warning", t.status.disconnected]
      : state.status === "running"
        ? ["success", t.status.running(port)]
        : state.status === "stopping"
          ? ["warning", t.status.stopping]
          : state.status === "paused"
            ? ["warning", t.status.paused]
            : ["danger", t.status.storage];
  return (
    <div className="px-2 text-meta text-muted">
      <p className="flex h-5 items-center gap-2 text-text">
        <Dot tone={tone} />
        <span className="truncate">{text}</span>
      </p>
      <p className="numeric h-5 pl-4" title={formatMoneyExact(state.today.nano)}>
        {t.status.today(formatMoney(state.today.nano))}
      </p>
      <p className="numeric h-5 pl-4">{t.status.inFlight(state.in_flight)}</p>
    </div>
  );
}
