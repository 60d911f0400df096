import { useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { State } from "../../../gateway/contract/control.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { usePause } from "../../components/frame/use-pause.ts";
import { useOverlays } from "../../components/frame/overlays.ts";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { NoticeLine } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";

/** Notices for the owner: the gateway's own, a pause, a disk that refuses. */
export function Notices({ state }: { readonly state: State }): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const { busy, resume } = usePause();

  const dismiss = async (id: string): Promise<void> => {
    cache.setQueryData<State>([queryNames.state], (before) =>
      before === undefined ? before : { ...before, notices: before.notices.filter((notice) => notice.id !== id) },
    );
    try {
      await client.call("dismissNotice", {}, id);
    } catch (error) {
      notify.showError(error);
      await cache.invalidateQueries({ queryKey: [queryNames.state] });
    }
  };

  const { notices, status } = state;
  if (notices.length === 0 && status === "running") return null;
  return (
    <section className="flex flex-col gap-1.5">
      {status === "storage" && <NoticeLine level="danger">{t.overview.storageHelp}</NoticeLine>}
      {status === "paused" && (
        <NoticeLine
          level="warning"
          action={
            <Button look="quiet" busy={busy} className="font-medium text-current!" onClick={resume}>
              {t.status.resume}
            </Button>
          }
        >
          {t.overview.pausedHelp}
        </NoticeLine>
      )}
      {status === "stopping" && <NoticeLine level="warning">{t.overview.stoppingHelp}</NoticeLine>}
      {notices.map(({ id, level, message }) => (
        <NoticeLine
          key={id}
          level={level}
          action={
            <IconButton label={t.overview.dismissNotice} className="text-current!" onClick={() => void dismiss(id)}>
              <X size={14} aria-hidden />
            </IconButton>
          }
        >
          {message}
        </NoticeLine>
      ))}
    </section>
  );
}

/** Notes that the sandbox replaces providers, or runs next to them. */
export function SandboxLine({ state }: { readonly state: State }): ReactNode {
  const t = useMessages();
  const overlays = useOverlays();
  const { sandbox, connections } = state;
  if (!sandbox.active) return null;
  return (
    <NoticeLine
      level="info"
      action={
        connections === 0 && (
          <Button look="quiet" className="font-medium text-current!" onClick={() => overlays.open("addConnection")}>
            {t.connections.add}
          </Button>
        )
      }
    >
      {connections === 0 ? t.overview.sandboxActive : t.overview.sandboxBeside}
    </NoticeLine>
  );
}
