import { getAppName } from "../../../gateway/contract/apps.ts";
import type { ReactNode } from "react";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import { CodeFact, Fact } from "../../components/ui/facts.tsx";
import { Moment } from "../../components/ui/figures.tsx";
import { Section } from "../../components/ui/section.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { sizeInWords } from "../../components/task/task-cells.tsx";

/** Ids of the task, each with a copy button, and its inputs. */
export function TaskFacts({ task, keyName }: { readonly task: TaskDetail; readonly keyName: string }): ReactNode {
  const t = useMessages();
  const seed = task.results[0]?.origin?.seed ?? null;
  const running = task.finished_at === null;
  return (
    <Section title={t.tasks.facts}>
      <dl className="grid grid-cols-[104px_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        <CodeFact label={t.tasks.id} text={task.id} />
        {task.public_id !== task.id && <CodeFact label={t.tasks.publicId} text={task.public_id} />}
        {task.provider_task_id !== null && <CodeFact label={t.tasks.providerId} text={task.provider_task_id} />}
        <CodeFact label={t.tasks.requestId} text={task.request_id} />
        {task.error !== null && (
          <Fact label={t.tasks.error}>
            <code className="font-mono text-meta">{task.error.code}</code>
          </Fact>
        )}
        <Fact label={t.tasks.key}>
          <a href={routeHash("tasks", { key: task.key })} className="inline-block leading-6">
            {keyName}
          </a>
        </Fact>
        <Fact label={t.tasks.model}>
          <a href={routeHash("tasks", { model: task.model })} className="inline-block leading-6">
            {task.model}
          </a>
        </Fact>
        <Fact label={t.tasks.client}>
          <span title={task.client}>{getAppName(task.client)}</span>
        </Fact>
        <Fact label={t.tasks.provider}>{task.provider}</Fact>
        <Fact label={t.tasks.size}>{sizeInWords(task, t)}</Fact>
        <Fact label={t.tasks.ratio}>{task.ratio}</Fact>
        {seed !== null && <Fact label={t.tasks.seed}>{seed}</Fact>}
        <Fact label={t.tasks.created}>
          <Moment at={task.created_at} />
        </Fact>
        <Fact label={running ? t.tasks.updated : t.tasks.finished}>
          <Moment at={task.finished_at ?? task.updated_at} />
        </Fact>
        {running && (
          <Fact label={t.tasks.deadline}>
            <Moment at={task.deadline_at} />
          </Fact>
        )}
      </dl>
    </Section>
  );
}
