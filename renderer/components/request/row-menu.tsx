import { Copy, Ellipsis } from "lucide-react";
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import type { Column } from "../table/column.ts";
import { IconButton } from "../ui/button.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { copyForms, type CopyForm } from "./use-copy-request.ts";

export interface RowMenuProps {
  /** Model of the row. */
  readonly model: string;
  readonly onCopy: (form: CopyForm) => void;
  /** Further actions. */
  readonly children?: ReactNode;
}

/** Context menu of a request's row, with copy in each format. */
export function RowMenu({ model, onCopy, children }: RowMenuProps): ReactNode {
  const t = useMessages();
  return (
    <Menu
      trigger={
        <IconButton label={t.app.actions(model)} className="flex! h-6! w-6!">
          <Ellipsis size={15} aria-hidden />
        </IconButton>
      }
    >
      {copyForms.map((form) => (
        <MenuItem
          key={form}
          icon={<Copy size={14} aria-hidden />}
          {...(form === "curl" && { hint: "C" })}
          onSelect={() => onCopy(form)}
        >
          {t.requestLog.copyAs[form]}
        </MenuItem>
      ))}
      {children}
    </Menu>
  );
}

/**
 * Returns the columns followed by the menu of each row.
 * @param menu always the same function, or every row is drawn again
 */
export function useWithMenu<Row, Copied>(
  columns: readonly Column<Row>[],
  onCopy: (copied: Copied, form: CopyForm) => void,
  menu: (row: Row, onCopy: (copied: Copied, form: CopyForm) => void) => ReactNode,
): readonly Column<Row>[] {
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
        cell: (row) => menu(row, (copied, form) => latest.current(copied, form)),
        text: () => "",
      },
    ],
    [columns, menu, t],
  );
}
