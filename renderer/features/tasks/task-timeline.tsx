import type { ReactNode } from "react";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import { Moment } from "../../components/ui/figures.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { Section } from "./section.tsx";

export function TaskTimeline({ timeline }: Pick<TaskDetail, "timeline">): ReactNode {
  const t = useMessages();
  return (
    <Section title={t.tasks.timeline}>
      <ol className="flex flex-col gap-1">
        {timeline.map(({ at, status, note }, index) => (
          <li key={`${at} ${index}`} className="grid grid-cols-[84px_minmax(0,1fr)] gap-x-3">
            <span className="text-muted">
              <Moment at={at} />
            </span>
            <span className="wrap-anywhere">
              {phaseInWords(status, t)}
              {note !== null && <span className="block text-meta text-muted">{note}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** A phase by its name; one that these pages do not know as the gateway calls it. */
function phaseInWords(phase: string, { tasks: { phases } }: Messages): string {
  return Object.hasOwn(phases, phase) ? phases[phase as keyof typeof phases] : phase;
}
