import type { ReactNode } from "react";
import { useGateway } from "../../api/gateway.tsx";
import { useNewestTasks } from "../../api/task-queries.ts";
import { useGatewayState } from "../../api/queries.ts";
import { usePause } from "./use-pause.ts";
import type { State } from "../../../gateway/contract/control.ts";
import { formatMoney, formatMoneyExact } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import type { Messages } from "../../locales/messages.ts";
import { Dot, type Tone } from "../ui/badge.tsx";

/** Returns the gateway's state as tone and text. A port in use is not a state, because then nothing starts. */
export function stateInWords(state: State, connected: boolean | undefined, t: Messages): readonly [Tone, string] {
  if (connected === false) return ["warning", t.status.disconnected];
  switch (state.status) {
    case "running":
      return ["success", t.status.running(new URL(state.url).port)];
    case "stopping":
      return ["warning", t.status.stopping];
    case "paused":
      return ["warning", t.status.paused];
    case "storage":
      return ["danger", t.status.storage];
  }
}

/** Status at the sidebar's foot: state, today's spend, running requests, and video tasks if there are any. */
export function StatusFoot(): ReactNode {
  const t = useMessages();
  const { connected } = useGateway();
  const { data: state } = useGatewayState();
  const { data: tasks } = useNewestTasks();
  const { busy, resume } = usePause();
  if (state === undefined) return null;
  const [tone, text] = stateInWords(state, connected, t);
  const active = tasks?.active ?? 0;
  return (
    <div className="px-2 text-meta text-muted">
      <p className="flex h-5 items-center gap-2 text-text">
        <Dot tone={tone} />
        <span className="truncate">{text}</span>
        {state.status === "paused" && connected !== false && (
          <button
            type="button"
            aria-busy={busy || undefined}
            onClick={() => !busy && resume()}
            className="rounded-sm px-1 font-medium text-accent-text hover:bg-hover"
          >
            {t.status.resume}
          </button>
        )}
      </p>
      <p className="numeric h-5 pl-4" title={formatMoneyExact(state.today.nano)}>
        {t.status.today(formatMoney(state.today.nano))}
      </p>
      <p className="numeric h-5 pl-4">{t.status.inFlight(state.in_flight)}</p>
      {active > 0 && (
        <p className="numeric h-5 pl-4">
          <a href={routeHash("tasks")} className="text-muted">
            {t.status.runningTasks(active)}
          </a>
        </p>
      )}
    </div>
  );
}
