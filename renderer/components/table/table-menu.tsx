import { Columns3 } from "lucide-react";
import type { ReactNode } from "react";
import { toTsv } from "../../lib/csv.ts";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { IconButton } from "../ui/button.tsx";
import { useCopy } from "../ui/copy.tsx";
import { Menu, MenuCheck, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { useNotify } from "../ui/toasts.tsx";
import { useHiddenColumns, type Column } from "./column.ts";

export interface TableMenuProps<Row> {
  readonly table: string;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** All rows, or a function that fetches those to copy. */
  readonly rows: readonly Row[] | (() => Promise<readonly Row[]>);
  /** Total number of rows, if not all of them are copied. */
  readonly total?: number;
}

/** Which columns a table shows, and its rows as text for a spreadsheet. */
export function TableMenu<Row>({ table, label, columns, rows, total }: TableMenuProps<Row>): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { copy } = useCopy();
  const { hidden, toggle } = useHiddenColumns(table);
  const named = columns.filter(({ bare }) => bare !== true);

  const copyRows = async (): Promise<void> => {
    const shown = named.filter(({ id }) => !hidden.has(id));
    try {
      const copied = typeof rows === "function" ? await rows() : rows;
      const cells = copied.map((row) => shown.map((column) => column.text(row)));
      if (!(await copy(toTsv([shown.map((column) => column.label), ...cells])))) return;
      const all = total === undefined || copied.length >= total;
      notify.confirm(
        all ? t.table.copiedRows(copied.length) : t.table.copiedFirst(formatCount(copied.length), formatCount(total)),
      );
    } catch (error) {
      notify.showError(error);
    }
  };

  return (
    <Menu
      trigger={
        <IconButton label={t.table.columnsOf(label)}>
          <Columns3 size={15} aria-hidden />
        </IconButton>
      }
    >
      {named
        .filter(({ essential }) => essential !== true)
        .map((column) => (
          <MenuCheck key={column.id} checked={!hidden.has(column.id)} onChange={() => toggle(column.id)}>
            {column.label}
          </MenuCheck>
        ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void copyRows()}>{t.table.copyTsv}</MenuItem>
    </Menu>
  );
}
