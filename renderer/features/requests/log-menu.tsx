import { LimitItems } from "../../components/limits/limit-items.tsx";
import { getAppName } from "../../../gateway/contract/apps.ts";
import { Filter } from "lucide-react";
import type { ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { RowMenu } from "../../components/request/row-menu.tsx";
import type { CopyForm } from "../../components/request/use-copy-request.ts";
import { MenuItem, MenuSeparator } from "../../components/ui/menu.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { isRunning, type LogRow } from "./log-rows.ts";

interface LogMenuProps {
  readonly receipt: Receipt;
  readonly onCopy: (receipt: Receipt, form: CopyForm) => void;
}

/** Actions on a row of the log: copy it, and filter by its values. */
function LogMenu({ receipt, onCopy }: LogMenuProps): ReactNode {
  const t = useMessages();
  const filter = <Filter size={14} aria-hidden />;
  return (
    <RowMenu model={receipt.model} onCopy={(form) => onCopy(receipt, form)}>
      <MenuSeparator />
      <MenuItem icon={filter} onSelect={() => replaceParams({ model: receipt.model })}>
        {t.requests.filterByModel}
      </MenuItem>
      {receipt.client !== "" && (
        <MenuItem icon={filter} onSelect={() => replaceParams({ client: getAppName(receipt.client) })}>
          {t.requestLog.filterByClient}
        </MenuItem>
      )}
      <MenuItem icon={filter} onSelect={() => replaceParams({ key: receipt.key })}>
        {t.requests.filterByKey}
      </MenuItem>
      <MenuSeparator />
      <LimitItems app={receipt.client} project={receipt.project} keyId={receipt.key} />
    </RowMenu>
  );
}

/** Menu of a row; a running call has none. */
export const logMenu = (row: LogRow, onCopy: LogMenuProps["onCopy"]): ReactNode =>
  isRunning(row) ? null : <LogMenu receipt={row} onCopy={onCopy} />;
