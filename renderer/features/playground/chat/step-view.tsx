import { memo, type ReactNode } from "react";
import { useMessages } from "../../../lib/i18n.tsx";
import { nameOf } from "../../../lib/names.ts";
import { CallLine } from "../parts/call-line.tsx";
import { FaultNote } from "../parts/fault-note.tsx";
import { Waiting } from "../parts/job-list.tsx";
import type { Step } from "./conversation.ts";
import { ToolUseView } from "./tool-use-view.tsx";
import { Words } from "./words.tsx";

export interface StepViewProps {
  readonly step: Step;
  /** Takes what a tool answered; absent once the conversation went on. */
  readonly onResult?: (tool: number, result: string | null) => void;
}

/** One response of a model: what it thought, said and called, and what that cost. */
export const StepView = memo(function StepView({ step, onResult }: StepViewProps): ReactNode {
  const t = useMessages();
  const { text, reasoning, tools, status, finish, fault, facts } = step;
  const silent = text === "" && tools.length === 0;
  return (
    <div aria-busy={status === "running" || undefined} className="flex min-w-0 flex-col gap-2">
      {reasoning !== "" && (
        <details>
          <summary className="w-fit rounded-sm text-meta text-muted hover:text-text">{t.playground.reasoning}</summary>
          <p className="mt-1 border-l-2 border-line pl-3 whitespace-pre-wrap text-muted wrap-anywhere">{reasoning}</p>
        </details>
      )}
      {text !== "" && <Words text={text} />}
      {silent && status === "running" && <Waiting />}
      {silent && status === "done" && <p className="text-muted">{t.playground.noWords}</p>}
      {tools.map((tool, index) => (
        <ToolUseView
          key={index}
          tool={tool}
          complete={status !== "running"}
          {...(onResult !== undefined && { onResult: (result: string | null) => onResult(index, result) })}
        />
      ))}
      {status === "stopped" && <p className="text-meta text-muted">{t.playground.stopped}</p>}
      {finish !== null && finish !== "stop" && finish !== "tool_calls" && (
        <p className="text-meta text-warning-text">{nameOf(t.playground.finishes, finish)}</p>
      )}
      {fault !== null && <FaultNote fault={fault} />}
      <CallLine facts={facts} unnamed />
    </div>
  );
});
