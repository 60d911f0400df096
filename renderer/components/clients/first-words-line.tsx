import type { ReactNode } from "react";
import { CopyIcon } from "../ui/copy.tsx";
import { useMessages } from "../../lib/i18n.tsx";

/** A command to copy into a terminal. */
export function FirstWordsLine({ command }: { readonly command: string }): ReactNode {
  const t = useMessages();
  return (
    <div className="flex items-center rounded-md border border-line bg-canvas pr-0.5 pl-3">
      <code className="min-w-0 grow py-1.5 font-mono text-meta wrap-anywhere">{command}</code>
      <CopyIcon text={command} label={t.clients.copyText(command)} />
    </div>
  );
}
