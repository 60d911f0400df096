/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard. */
import type { ReactNode } from "react";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { Section } from "../../components/ui/section.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface JsonSectionProps {
  readonly title: string;
  readonly value: unknown;
  readonly actions?: ReactNode;
  readonly note?: string | undefined;
}

/** A body as it was sent, to read and to copy. */
export function JsonSection({ title, value, actions, note }: JsonSectionProps): ReactNode {
  const t = useMessages();
  const text = JSON.stringify(value, null, 2);
  return (
    <Section
      title={title}
      actions={
        <>
          {actions}
          <CopyIcon text={text} label={t.tasks.copyJson(title)} />
        </>
      }
    >
      <section
        aria-label={t.tasks.jsonOf(title)}
        tabIndex={0}
        className="max-h-60 overflow-auto rounded-md border border-line bg-canvas px-3 py-2"
      >
        <pre className="font-mono text-meta whitespace-pre-wrap wrap-anywhere text-muted">{text}</pre>
      </section>
      {note !== undefined && <p className="mt-1 text-meta text-faint">{note}</p>}
    </Section>
  );
}
