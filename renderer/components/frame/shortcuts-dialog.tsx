import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { modifier } from "../../lib/platform.ts";
import { pages } from "../../routes.ts";
import { Modal } from "../ui/dialog.tsx";

type Line = readonly [keys: readonly string[], text: string];

export function ShortcutsDialog({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const t = useMessages();
  const anywhere: readonly Line[] = [
    [[modifier, "K"], t.shortcuts.palette],
    ...pages.map(({ id, letter }): Line => [["g", letter], t.shortcuts.go(t.pages[id])]),
    [["n"], t.shortcuts.primary],
    [["/"], t.shortcuts.filter],
    [["?"], t.shortcuts.list],
  ];
  const tables: readonly Line[] = [
    [["j"], t.shortcuts.next],
    [["k"], t.shortcuts.previous],
    [["Enter"], t.shortcuts.openRow],
    [["Space"], t.shortcuts.menuRow],
  ];
  const library: readonly Line[] = [
    [["←", "→", "↑", "↓"], t.library.shortcuts.move],
    [["Enter"], t.library.shortcuts.open],
    [["Space"], t.library.shortcuts.select],
    [["Delete"], t.library.shortcuts.delete],
    [["Esc"], t.library.shortcuts.leave],
  ];
  return (
    <Modal open={open} onClose={onClose} title={t.shortcuts.title} size="small">
      <div className="flex flex-col gap-4 px-4 pt-3 pb-4">
        <Lines title={t.shortcuts.anywhere} lines={anywhere} />
        <Lines title={t.shortcuts.tables} lines={tables} />
        <Lines title={t.library.shortcuts.title} lines={library} />
      </div>
    </Modal>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }): ReactNode {
  return (
    <section>
      <h3 className="mb-1 text-meta text-faint">{title}</h3>
      <dl>
        {lines.map(([keys, text]) => (
          <div key={text} className="flex h-7 items-center">
            <dt className="grow">{text}</dt>
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
