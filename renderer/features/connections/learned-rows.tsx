import type { ReactNode } from "react";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { Button } from "../../components/ui/button.tsx";
import { useAge } from "../../components/ui/figures.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { useConnectionActions } from "./use-connection-actions.ts";

/** Lessons from the server's refusals, and the button that forgets them; empty without any. */
export function LearnedRows({ connection }: { readonly connection: ConnectionView }): ReactNode {
  const t = useMessages();
  const ageOf = useAge();
  const { forgetLearned } = useConnectionActions();
  const { name, learned } = connection;
  if (learned.length === 0) return null;
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-1 border-t border-line px-3.5 py-1.5">
      <div className="min-w-0 grow basis-60">
        <p className="text-meta text-muted" title={t.connections.learnedHelp}>
          {t.connections.learned}
        </p>
        <ul aria-label={t.connections.learnedOf(name)}>
          {learned.map(({ model, lesson, at }) => (
            <li key={`${model} ${lesson}`} className="text-meta wrap-anywhere">
              <code className="font-mono">{model}</code> {t.connections.lesson(lesson)}{" "}
              <span className="text-muted">{ageOf(at)}</span>
            </li>
          ))}
        </ul>
      </div>
      <Button onClick={() => forgetLearned(connection)} aria-label={t.connections.forgetOf(name)}>
        {t.connections.forget}
      </Button>
    </div>
  );
}
