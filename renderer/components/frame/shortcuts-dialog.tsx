import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { Modal } from "../ui/dialog.tsx";
import { listShortcutGroups, type ShortcutGroup } from "./shortcut-table.ts";

export function ShortcutsDialog({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const t = useMessages();
  return (
    <Modal open={open} onClose={onClose} title={t.shortcuts.title} size="large">
      {/* Wide windows use two columns; a group is never split. */}
      <div className="gap-x-8 px-4 pt-3 pb-4 wide:columns-2">
        {listShortcutGroups(t).map((group) => (
          <Group key={group.title} {...group} />
        ))}
      </div>
    </Modal>
  );
}

function Group({ title, lines }: ShortcutGroup): ReactNode {
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="mb-1 text-meta text-faint">{title}</h3>
      <dl>
        {lines.map(({ keys, text }) => (
          <div key={text} className="flex min-h-7 items-center gap-2">
            <dt className="min-w-0 grow">{text}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="flex h-5 min-w-5 items-center justify-center rounded-sm border border-line-strong px-1 text-meta text-muted"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
