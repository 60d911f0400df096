import { useQueryClient } from "@tanstack/react-query";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RequestDetail } from "../../../gateway/contract/requests.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useGatewayState } from "../../api/queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { toTsv } from "../../lib/csv.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Column } from "../table/column.ts";
import { useCopy } from "../ui/copy.tsx";
import { useNotify } from "../ui/toasts.tsx";
import { formatRequestCurl } from "./copy-request.ts";

export const copyForms = ["curl", "json", "tsv"] as const;
export type CopyForm = (typeof copyForms)[number];

/**
 * Copies one request: as a command (built from its recording, which is fetched), as receipt JSON, or as a row.
 * @param columns those of the row
 */
export function useCopyRequest(columns: readonly Column<Receipt>[]): (receipt: Receipt, form: CopyForm) => void {
  const t = useMessages();
  const { client } = useGateway();
  const { data: state } = useGatewayState();
  const cache = useQueryClient();
  const { copy } = useCopy();
  const notify = useNotify();

  const textOf = async (receipt: Receipt, form: CopyForm): Promise<string> => {
    if (form === "json") return JSON.stringify(receipt, null, 2);
    if (form === "tsv") {
      const named = columns.filter(({ bare }) => bare !== true);
      return toTsv([named.map(({ label }) => label), named.map((column) => column.text(receipt))]);
    }
    const known = cache.getQueryData<RequestDetail>([queryNames.request, receipt.id]);
    const { recording } = known ?? (await client.call("getRequest", {}, receipt.id));
    return formatRequestCurl(state?.url ?? location.origin, receipt, recording);
  };
  return (receipt, form) =>
    void textOf(receipt, form)
      .then(copy)
      .then(
        (done) => done && notify.confirm(t.requestLog.copiedAs[form]),
        (error: unknown) => notify.showError(error),
      );
}
