import type { ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { ReceiptTable } from "../../components/receipt-table.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Modal, ModalFooter } from "../../components/ui/dialog.tsx";
import { CodeFact, Fact } from "../../components/ui/facts.tsx";
import { formatDuration, formatMoment } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { nameOf } from "../../lib/names.ts";
import { replaceParams } from "../../lib/router.ts";
import { Status } from "./request-columns.tsx";

export interface RequestDialogProps {
  readonly receipt: Receipt | null;
  readonly keyName: (id: string) => string;
  readonly onClose: () => void;
  /** Shows the requests of one model or key: in the list beside it, where there is one. */
  readonly onFilter?: (params: Readonly<Record<string, string>>) => void;
}

/** One request and its receipt: every unit, its price, and where the price comes from. */
export function RequestDialog({ receipt, keyName, onClose, onFilter = replaceParams }: RequestDialogProps): ReactNode {
  const { t, language } = useSpeech();
  if (receipt === null) return <Modal open={false} onClose={onClose} title={t.requests.details} />;
  const filterBy = (params: Record<string, string>) => (): void => {
    onClose();
    onFilter(params);
  };
  return (
    <Modal open onClose={onClose} title={receipt.model} size="large">
      <div className="px-4 pt-2">
        <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-1">
          <CodeFact label={t.requests.id} text={receipt.id} />
          <Fact label={t.requests.time}>{formatMoment(receipt.at, language)}</Fact>
          <Fact label={t.requests.status}>
            <Status receipt={receipt} />
          </Fact>
          <Fact label={t.requests.outcome}>{t.requests.outcomeHelp[receipt.outcome]}</Fact>
          {receipt.code !== null && (
            <Fact label={t.requests.errorCode}>
              <code className="font-mono text-meta">{receipt.code}</code>
            </Fact>
          )}
          <Fact label={t.requests.duration}>{formatDuration(receipt.ms)}</Fact>
          {receipt.first_ms !== null && <Fact label={t.requests.firstByte}>{formatDuration(receipt.first_ms)}</Fact>}
          <Fact label={t.requests.endpoint}>
            {`${nameOf(t.requests.endpoints, receipt.endpoint)}, ${receipt.stream ? t.requests.stream : t.requests.plain}`}
          </Fact>
          {receipt.vendor !== "" && <Fact label={t.requests.vendor}>{receipt.vendor}</Fact>}
          <Fact label={t.requests.client}>{receipt.client}</Fact>
          <Fact label={t.requests.key}>{keyName(receipt.key)}</Fact>
        </dl>
        <h3 className="mt-4 mb-1 font-semibold">{t.requests.receipt}</h3>
        <ReceiptTable receipt={receipt} />
      </div>
      <ModalFooter>
        <Button onClick={filterBy({ model: receipt.model })}>{t.requests.filterByModel}</Button>
        <Button onClick={filterBy({ key: receipt.key })}>{t.requests.filterByKey}</Button>
      </ModalFooter>
    </Modal>
  );
}
