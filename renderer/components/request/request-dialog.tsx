import type { ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RequestDetail, RunningRequest } from "../../../gateway/contract/requests.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { useGatewayState } from "../../api/queries.ts";
import { ReceiptTable } from "./receipt-table.tsx";
import { Button } from "../ui/button.tsx";
import { Modal, ModalFooter } from "../ui/dialog.tsx";
import { Section } from "../ui/section.tsx";
import { Failure, SkeletonRows } from "../ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate } from "../../lib/router.ts";
import { RecordedResponseView } from "./recorded-response.tsx";
import { RecordedRequestView } from "./recorded-request.tsx";
import { RequestActions } from "./request-actions.tsx";
import { RequestFacts } from "./request-facts.tsx";
import { RunningFacts } from "./running.tsx";
import { useRequest, useRecordingActions } from "./use-request.ts";
import { CircleDot } from "lucide-react";

export interface RequestDialogProps {
  /** The request to show; null for none. */
  readonly id: string | null;
  /** What is known of it while it runs; shown until it has a receipt. */
  readonly running?: RunningRequest | undefined;
  /** Its receipt, where it is there already: then it is shown at once. */
  readonly known?: Receipt | null;
  readonly onClose: () => void;
  /** Shows the requests of one model or key: in the list beside it, where there is one. */
  readonly onFilter?: (params: Readonly<Record<string, string>>) => void;
}

/** The row that one came from; where it is not drawn any more, the one that the keyboard reaches. */
const rowInTable = (): HTMLElement | null => document.querySelector<HTMLElement>("main [data-row][data-active]");

/** One request: its facts, its receipt term by term, and what was recorded of it. */
export function RequestDialog({ id, ...rest }: RequestDialogProps): ReactNode {
  const t = useMessages();
  if (id === null) return <Modal open={false} onClose={rest.onClose} title={t.requests.details} size="wide" />;
  return <OpenRequest key={id} id={id} {...rest} />;
}

interface OpenProps extends RequestDialogProps {
  readonly id: string;
}

const toLog = (params: Readonly<Record<string, string>>): void => navigate("requests", params);

function OpenRequest({ id, known = null, running, onClose, onFilter = toLog }: OpenProps): ReactNode {
  const t = useMessages();
  const { data, error, refetch } = useRequest(id, running === undefined);
  const receipt = data?.receipt ?? known;
  const filterBy = (params: Record<string, string>) => (): void => {
    onClose();
    onFilter(params);
  };
  if (running !== undefined && receipt === null) {
    return (
      <Modal open onClose={onClose} title={running.model} size="wide" returnFocus={rowInTable}>
        <div className="px-4 pt-2 pb-4">
          <RunningFacts request={running} />
        </div>
      </Modal>
    );
  }
  return (
    <Modal open onClose={onClose} title={receipt?.model || t.requests.details} size="wide" returnFocus={rowInTable}>
      {receipt === null ? (
        <div className="pb-4">
          {error === null ? <SkeletonRows rows={6} /> : <Failure error={error} onRetry={() => void refetch()} />}
        </div>
      ) : (
        <>
          <div className="grid gap-x-6 gap-y-3 px-4 pt-2 min-[900px]:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
            <div className="flex min-w-0 flex-col gap-3">
              {data !== undefined ? (
                <Recorded detail={data} />
              ) : error === null ? (
                <SkeletonRows rows={6} />
              ) : (
                <Failure error={error} onRetry={() => void refetch()} />
              )}
            </div>
            <div className="flex min-w-0 flex-col gap-3">
              <RequestFacts receipt={receipt} detail={data} />
              <Section title={t.requests.receipt}>
                <ReceiptTable receipt={receipt} />
              </Section>
            </div>
          </div>
          <ModalFooter>
            <Button onClick={filterBy({ model: receipt.model })}>{t.requests.filterByModel}</Button>
            <Button onClick={filterBy({ key: receipt.key })}>{t.requests.filterByKey}</Button>
          </ModalFooter>
        </>
      )}
    </Modal>
  );
}

function Recorded({ detail }: { readonly detail: RequestDetail }): ReactNode {
  const { data: state } = useGatewayState();
  const keyName = useKeyNames()(detail.receipt.key);
  const { recording } = detail;
  if (recording === null) return <NothingRecorded on={detail.recording_on} />;
  return (
    <>
      <RequestActions detail={detail} recording={recording} keyName={keyName} origin={state?.url ?? location.origin} />
      <RecordedRequestView recording={recording} />
      <RecordedResponseView recording={recording} />
    </>
  );
}

/** In the place of what was not recorded: why, and what to do that the next one is. */
function NothingRecorded({ on }: { readonly on: boolean }): ReactNode {
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
