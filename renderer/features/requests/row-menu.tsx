import { Copy, Ellipsis, Filter } from "lucide-react";
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { copyForms, type CopyForm } from "../../components/request/use-copy-request.ts";
import type { Column } from "../../components/table/column.ts";
import { IconButton } from "../../components/ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../components/ui/menu.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { isRunning, type LogRow } from "./log-rows.ts";

export interface RowMenuProps {
  readonly receipt: Receipt;
  readonly onCopy: (receipt: Receipt, form: CopyForm) => void;
}

/** What can be done with a row of the log: copy it, and look at its like. */
export function RowMenu({ receipt, onCopy }: RowMenuProps): ReactNode {
  const t = useMessages();
  const words = t.requestLog;
  const filter = <Filter size={14} aria-hidden />;
  return (
    <Menu
      trigger={
        <IconButton label={t.app.actions(receipt.model)} className="flex! h-6! w-6!">
          <Ellipsis size={15} aria-hidden />
        </IconButton>
      }
    >
      {copyForms.map((form) => (
        <MenuItem
          key={form}
          icon={<Copy size={14} aria-hidden />}
          {...(form === "curl" && { hint: "C" })}
          onSelect={() => onCopy(receipt, form)}
        >
          {words.copyAs[form]}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={filter} onSelect={() => replaceParams({ model: receipt.model })}>
        {t.requests.filterByModel}
      </MenuItem>
      {receipt.client !== "" && (
        <MenuItem icon={filter} onSelect={() => replaceParams({ client: receipt.client })}>
          {words.filterByClient}
        </MenuItem>
      )}
      <MenuItem icon={filter} onSelect={() => replaceParams({ key: receipt.key })}>
        {t.requests.filterByKey}
      </MenuItem>
    </Menu>
  );
}

/** The columns with the menu of each row behind them. */
export function useWithMenu(
  columns: readonly Column<LogRow>[],
  onCopy: RowMenuProps["onCopy"],
): readonly Column<LogRow>[] {
  const t = useMessages();
  // A row is not drawn again because what copies it is another function.
  const latest = useRef(onCopy);
  useEffect(() => {
    latest.current = onCopy;
  });
  return useMemo(
    () => [
      ...columns,
      {
        id: "menu",
        label: t.requestLog.rowActions,
        track: "24px",
        from: 480,
        bare: true,
        cell: (row) =>
          isRunning(row) ? null : <RowMenu receipt={row} onCopy={(receipt, form) => latest.current(receipt, form)} />,
        text: () => "",
      },
    ],
    [columns, t],
  );
}
