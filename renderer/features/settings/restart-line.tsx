import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { useAddress } from "../../api/maintenance-queries.ts";
import { Button } from "../../components/ui/button.tsx";
import { NoticeLine } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { useRestart } from "./use-restart.ts";

/** Shows that a change waits for the next start, with a restart button. */
export function RestartLine({ text, action }: { readonly text: string; readonly action?: ReactNode }): ReactNode {
  const t = useMessages();
  const { data: address } = useAddress();
  const restart = useRestart(address);
  return (
    <NoticeLine
      level="info"
      action={
        <div className="flex shrink-0 flex-wrap justify-end gap-1">
          {action}
          {restart !== null && (
            <Button icon={<RotateCw size={14} aria-hidden />} busy={restart.busy} onClick={restart.run}>
              {t.settings.restart}
            </Button>
          )}
        </div>
      }
    >
      {text}
      {restart === null && ` ${t.settings.restartManually}`}
    </NoticeLine>
  );
}
