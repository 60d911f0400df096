import { Copy, Ellipsis } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import type { TaskRow } from "../../../gateway/contract/tasks.ts";
import { copyForms, type CopyForm } from "../../components/request/use-copy-request.ts";
import type { Column } from "../../components/table/column.ts";
import { IconButton } from "../../components/ui/button.tsx";
import { Menu, MenuItem } from "../../components/ui/menu.tsx";
import { useMessages } from "../../lib/i18n.tsx";

/** The columns with the menu of each row behind them, which copies it. */
export function useWithCopyMenu(
  columns: readonly Column<TaskRow>[],
  onCopy: (row: TaskRow, form: CopyForm) => void,
): readonly Column<TaskRow>[] {
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
        cell: (row) => (
          <Menu
            trigger={
              <IconButton label={t.app.actions(row.model)} className="flex! h-6! w-6!">
                <Ellipsis size={15} aria-hidden />
              </IconButton>
            }
          >
            {copyForms.map((form) => (
              <MenuItem
                key={form}
                icon={<Copy size={14} aria-hidden />}
                {...(form === "curl" && { hint: "C" })}
                onSelect={() => latest.current(row, form)}
              >
                {t.requestLog.copyAs[form]}
              </MenuItem>
            ))}
          </Menu>
        ),
        text: () => "",
      },
    ],
    [columns, t],
  );
}
