import type { ReactNode } from "react";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import { Moment } from "../../components/ui/figures.tsx";
import { Section } from "../../components/ui/section.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { nameOf } from "../../lib/names.ts";

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
              {nameOf(t.tasks.phases, status)}
              {note !== null && <span className="block text-meta text-muted">{note}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
