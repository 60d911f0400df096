import { Circle, CircleDot } from "lucide-react";
import type { ReactNode } from "react";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { RecordingDialog } from "./recording-dialog.tsx";
import { RequestTable } from "./request-table.tsx";
import { useRecordings } from "../../components/request/use-request.ts";

/** All requests of all keys; `id` in the address opens one next to the list (`tab`: what of it), `panel=recording` what is recorded. */
export function RequestsPage(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const { data: recordings } = useRecordings();
  const on = recordings?.on === true;
  return (
    <>
      <PageHeader title={t.pages.requests}>
        <Button
          icon={
            on ? <CircleDot size={14} aria-hidden className="text-danger-text" /> : <Circle size={14} aria-hidden />
          }
          onClick={() => replaceParams({ panel: "recording" })}
        >
          {on ? t.requestLog.recordingOn : t.requestLog.recordingOff}
        </Button>
      </PageHeader>
      <RequestTable params={params} />
      <RecordingDialog open={params.get("panel") === "recording"} onClose={() => replaceParams({ panel: null })} />
    </>
  );
}
