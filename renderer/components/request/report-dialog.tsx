import { Download } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useGatewayState } from "../../api/queries.ts";
import { download, fileName } from "../../lib/download.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { Button } from "../ui/button.tsx";
import { CheckBox } from "../ui/check-box.tsx";
import { Modal, ModalFooter } from "../ui/dialog.tsx";
import { RawText } from "./folded.tsx";
import { makeReport, type ReportSource } from "./report-bundle.ts";

export interface ReportDialogProps extends Pick<ReportSource, "receipt" | "recording"> {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Shows the bundle for a bug report as it will be saved. */
export function ReportDialog({ open, onClose, receipt, recording }: ReportDialogProps): ReactNode {
  const t = useMessages();
  const { report } = t.requestLog;
  const { data: state } = useGatewayState();
  const [withTexts, setWithTexts] = useState(false);
  const version = state?.version ?? "";
  const text = useMemo(
    () => (open ? JSON.stringify(makeReport({ receipt, recording, version, withTexts }), null, 2) : ""),
    [open, receipt, recording, version, withTexts],
  );
  const save = (): void => {
    download(fileName(["postern report", receipt.id], "json"), new Blob([text], { type: "application/json" }));
    onClose();
  };
  return (
    <Modal open={open} onClose={onClose} title={report.title} description={report.help} size="large">
      <div className="flex flex-col gap-2 px-4 pt-2 pb-4">
        <CheckBox label={report.texts} help={report.textsHelp} checked={withTexts} onChange={setWithTexts} />
        <RawText label={report.preview} text={text} q="" />
      </div>
      <ModalFooter>
        <Button look="primary" icon={<Download size={14} aria-hidden />} onClick={save}>
          {report.save}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
