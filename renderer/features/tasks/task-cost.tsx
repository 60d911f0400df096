import type { ReactNode } from "react";
import type { TaskDetail } from "../../../gateway/contract/tasks.ts";
import { ReceiptTable } from "../../components/request/receipt-table.tsx";
import { Cost } from "../../components/ui/figures.tsx";
import { Section } from "../../components/ui/section.tsx";
import { useMessages } from "../../lib/i18n.tsx";

/** What it cost, term by term, and what is held for it now. */
export function TaskCostSection({ task }: { readonly task: TaskDetail }): ReactNode {
  const t = useMessages();
  return (
    <Section title={t.tasks.cost}>
      {task.held_nano > 0 && (
        <p className="flex min-h-8 items-center justify-between" title={t.tasks.heldHelp}>
          <span className="text-muted">{t.tasks.held}</span>
          <Cost nano={task.held_nano} sandbox={task.sandbox} />
        </p>
      )}
      {task.receipt === null ? (
        <p className="text-muted">
          {!task.priced && `${t.money.unpricedHelp} `}
          {task.finished_at === null ? t.tasks.costHelp.open : t.tasks.costHelp.none}
        </p>
      ) : (
        <ReceiptTable receipt={task.receipt} />
      )}
    </Section>
  );
}
