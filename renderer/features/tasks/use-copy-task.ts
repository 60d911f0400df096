import type { TaskRow } from "../../../gateway/contract/tasks.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useGatewayState } from "../../api/queries.ts";
import type { CopyForm } from "../../components/request/use-copy-request.ts";
import type { Column } from "../../components/table/column.ts";
import { useCopy } from "../../components/ui/copy.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { toTsv } from "../../lib/csv.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { codeSample } from "../../lib/samples/code-sample.ts";

/**
 * Copies one task: the call that orders it as a command, all that is known of it as JSON, or its row. What the row does
 * not have is fetched.
 * @param columns those of the row
 */
export function useCopyTask(columns: readonly Column<TaskRow>[]): (row: TaskRow, form: CopyForm) => void {
  const t = useMessages();
  const { client } = useGateway();
  const { data: state } = useGatewayState();
  const { copy } = useCopy();
  const notify = useNotify();

  const textOf = async (row: TaskRow, form: CopyForm): Promise<string> => {
    if (form === "tsv") return toTsv([columns.map(({ label }) => label), columns.map((column) => column.text(row))]);
    const task = await client.call("getTask", {}, row.id);
    if (form === "json") return JSON.stringify(task, null, 2);
    return codeSample("curl", state?.url ?? location.origin, { path: "/v1/videos/generations", body: task.request });
  };
  return (row, form) =>
    void textOf(row, form)
      .then(copy)
      .then(
        (done) => done && notify.confirm(t.requestLog.copiedAs[form]),
        (error: unknown) => notify.showError(error),
      );
}
