import { Ban, CircleCheck, Copy, Ellipsis, Gauge, List, Pencil, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { KeyView } from "../../../gateway/contract/key.ts";
import { IconButton } from "../../components/ui/button.tsx";
import { useCopy } from "../../components/ui/copy.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../components/ui/menu.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { navigate } from "../../lib/router.ts";
import { useKeyActions } from "./use-key-actions.ts";

export interface KeyMenuProps {
  readonly row: KeyView;
  readonly onEdit: (key: KeyView) => void;
  readonly onLimit: (key: KeyView) => void;
  readonly onRevoke: (key: KeyView) => void;
}

export function KeyMenu(props: KeyMenuProps): ReactNode {
  const t = useMessages();
  return (
    <Menu
      trigger={
        <IconButton label={t.app.actions(props.row.name)}>
          <Ellipsis size={15} aria-hidden />
        </IconButton>
      }
    >
      <KeyMenuItems {...props} />
    </Menu>
  );
}

/** Made when the menu is opened: a page has as many of these menus as it has rows. */
function KeyMenuItems({ row, onEdit, onLimit, onRevoke }: KeyMenuProps): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { copy } = useCopy();
  const { setDisabled } = useKeyActions();
  const copyId = async (): Promise<void> => {
    if (await copy(row.id)) notify.confirm(t.app.copied);
  };
  return (
    <>
      <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => onEdit(row)}>
        {t.keys.edit}
      </MenuItem>
      <MenuItem icon={<Gauge size={14} aria-hidden />} onSelect={() => onLimit(row)}>
        {t.keys.limitSpend}
      </MenuItem>
      <MenuItem icon={<List size={14} aria-hidden />} onSelect={() => navigate("requests", { key: row.id })}>
        {t.keys.showRequests}
      </MenuItem>
      <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={() => void copyId()}>
        {t.keys.copyId}
      </MenuItem>
      <MenuSeparator />
      {row.disabled ? (
        <MenuItem icon={<CircleCheck size={14} aria-hidden />} onSelect={() => setDisabled(row, false)}>
          {t.keys.enable}
        </MenuItem>
      ) : (
        <MenuItem icon={<Ban size={14} aria-hidden />} onSelect={() => setDisabled(row, true)}>
          {t.keys.disable}
        </MenuItem>
      )}
      <MenuItem icon={<Trash2 size={14} aria-hidden />} danger onSelect={() => onRevoke(row)}>
        {t.keys.revoke}
      </MenuItem>
    </>
  );
}
