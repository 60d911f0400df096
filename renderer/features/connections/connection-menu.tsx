import { Ellipsis, KeyRound, Pencil, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { IconButton } from "../../components/ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../components/ui/menu.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import type { ConnectionTask } from "./connections-page.tsx";

export interface ConnectionMenuProps {
  readonly connection: ConnectionView;
  readonly onTask: (task: ConnectionTask) => void;
}

export function ConnectionMenu({ connection, onTask }: ConnectionMenuProps): ReactNode {
  const t = useMessages();
  return (
    <Menu
      trigger={
        <IconButton label={t.app.actions(connection.name)}>
          <Ellipsis size={15} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => onTask("edit")}>
        {t.connections.edit}
      </MenuItem>
      {connection.origin === "created" && (
        <MenuItem icon={<KeyRound size={14} aria-hidden />} onSelect={() => onTask("replace")}>
          {t.connections.replaceKey}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Trash2 size={14} aria-hidden />} danger onSelect={() => onTask("remove")}>
        {t.connections.remove}
      </MenuItem>
    </Menu>
  );
}
