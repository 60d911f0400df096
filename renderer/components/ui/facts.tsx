import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { CopyIcon } from "./copy.tsx";

/** A name with its value, as one line of a two-column `<dl>`. */
export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="contents">
      <dt className="text-muted">{label}</dt>
      <dd className="numeric min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** A fact for text that is pasted rather than read: an id, a hash, a path. */
export function CodeFact({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  const t = useMessages();
  return (
    <div className="contents">
      <dt className="leading-7 text-muted">{label}</dt>
      <dd className="flex min-w-0 items-center gap-1">
        <code className="truncate font-mono text-meta max-wide:wrap-anywhere max-wide:whitespace-normal" title={text}>
          {text}
        </code>
        <CopyIcon text={text} label={`${t.app.copy}: ${label}`} />
      </dd>
    </div>
  );
}
