/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard. */
import { useState, type ReactNode } from "react";
import { CopyIcon } from "../ui/copy.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { Marked } from "./marked.tsx";

/** A collapsible section; its content is rendered when opened. */
export function Folded(props: {
  readonly label: string;
  readonly children: () => ReactNode;
  readonly isOpen?: boolean;
}): ReactNode {
  const [open, setOpen] = useState(props.isOpen === true);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-default rounded-sm py-1 text-muted select-none hover:text-text">
        {props.label}
      </summary>
      {open && props.children()}
    </details>
  );
}

/** Whether a search found a text as it was sent, but not what is read of it. */
export function isOnlyRaw(read: string, raw: string, q: string): boolean {
  const query = q.trim().toLowerCase();
  return query !== "" && !read.toLowerCase().includes(query) && raw.toLowerCase().includes(query);
}

export interface RawTextProps {
  readonly label: string;
  readonly text: string;
  /** Search text to highlight. */
  readonly q: string;
}

/** Text as it was sent, to read and to copy. */
export function RawText({ label, text, q }: RawTextProps): ReactNode {
  const t = useMessages();
  return (
    <div className="relative">
      <section
        aria-label={label}
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-md border border-line bg-canvas px-3 py-2 pr-10"
      >
        <pre className="font-mono text-meta whitespace-pre-wrap wrap-anywhere text-muted">
          <Marked text={text} q={q} />
        </pre>
      </section>
      <span className="absolute top-1 right-1">
        <CopyIcon text={text} label={`${t.app.copy}: ${label}`} />
      </span>
    </div>
  );
}
