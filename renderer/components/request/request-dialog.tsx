import { useState, type ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate } from "../../lib/router.ts";
import { Modal } from "../ui/dialog.tsx";
import { Failure, SkeletonRows } from "../ui/states.tsx";
import { RequestTabs, requestTabs, type RequestTab } from "./request-tabs.tsx";
import { useRequestState } from "./use-request.ts";

export interface RequestDialogProps {
  /** The request to show; null for none. */
  readonly id: string | null;
  /** Receipt, if it is already loaded: then it is shown immediately. */
  readonly known?: Receipt | null;
  readonly onClose: () => void;
}

/** Returns the originating row, or the focusable row if that is no longer rendered. */
const getRowInTable = (): HTMLElement | null => document.querySelector<HTMLElement>("main [data-row][data-active]");

/** Dialog of a request for pages other than Requests, which shows it next to its list. */
export function RequestDialog({ id, ...rest }: RequestDialogProps): ReactNode {
  const t = useMessages();
  if (id === null) return <Modal open={false} onClose={rest.onClose} title={t.requests.details} size="large" />;
  return <OpenRequest key={id} id={id} {...rest} />;
}

interface OpenProps extends RequestDialogProps {
  readonly id: string;
}

function OpenRequest({ id, known = null, onClose }: OpenProps): ReactNode {
  const t = useMessages();
  const state = useRequestState(id, { known });
  const [tab, setTab] = useState<RequestTab>(requestTabs[0]);
  const { receipt, error, retry } = state;
  return (
    <Modal open onClose={onClose} title={receipt?.model || t.requests.details} size="large" returnFocus={getRowInTable}>
      {receipt === null ? (
        <div className="pb-4">
          {error === null ? <SkeletonRows rows={6} /> : <Failure error={error} onRetry={retry} />}
        </div>
      ) : (
        <RequestTabs
          receipt={receipt}
          state={state}
          tab={tab}
          onTab={setTab}
          onFilter={(params) => {
            onClose();
            navigate("requests", params);
          }}
        />
      )}
    </Modal>
  );
}
