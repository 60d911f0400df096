import { CircleDot } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { useRecordingActions } from "./use-request.ts";

/** In the place of what was not recorded: why, and what to do that the next one is. */
export function NothingRecorded({ on }: { readonly on: boolean }): ReactNode {
  const t = useMessages();
  const { set } = useRecordingActions();
  return (
    <div className="flex flex-col items-start gap-2 rounded-md border border-line bg-canvas px-4 py-4">
      <h3 className="font-semibold">{t.requestLog.nothing}</h3>
      <p className="text-muted">{on ? t.requestLog.nothingOn : t.requestLog.nothingOff}</p>
      {!on && (
        <Button icon={<CircleDot size={14} aria-hidden />} busy={set.isPending} onClick={() => set.mutate(true)}>
          {t.requestLog.switchOn}
        </Button>
      )}
    </div>
  );
}
