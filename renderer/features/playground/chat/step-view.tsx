import { memo } from "react";
import type { ReactNode } from "react";
import { ArrowLeftRight, Plug } from "lucide-react";
import { ModelPicker } from "../../../components/model-picker/model-picker.tsx";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { routeHash } from "../../../lib/router.ts";
import { useMessages } from "../../../lib/i18n.tsx";
import { getName } from "../../../lib/names.ts";
import { CallLine } from "../parts/call-line.tsx";
import { FaultNote } from "../parts/fault-note.tsx";
import { Waiting } from "../parts/job-list.tsx";
import type { Step } from "./conversation.ts";
import { Markdown } from "./markdown.tsx";
import { ToolUseView } from "./tool-use-view.tsx";

export interface StepViewProps {
  readonly step: Step;
  /** Receives a tool's result; absent once the conversation continued. */
  readonly onResult?: (tool: number, result: string | null) => void;
  /** Asks another model instead, if this one failed; absent once the conversation continued. */
  readonly onModel?: (model: string) => void;
}

/** A response of a model: reasoning, text, tool calls and their cost. */
export const StepView = memo(function StepView({ step, onResult, onModel }: StepViewProps): ReactNode {
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
      {text !== "" && <Markdown text={text} />}
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
        <p className="text-meta text-warning-text">{getName(t.playground.finishes, finish)}</p>
      )}
      {fault !== null && (
        <>
          <FaultNote fault={fault} />
          <div className="flex flex-wrap gap-2">
            {onModel !== undefined && (
              <ModelPicker
                label={t.playground.switchModel}
                value=""
                capability="chat"
                except={[facts.model]}
                onChange={onModel}
                trigger={<Button icon={<ArrowLeftRight size={14} aria-hidden />}>{t.playground.switchModel}</Button>}
              />
            )}
            <a href={routeHash("connections")} className={`${buttonClass("plain")} no-underline`}>
              <Plug size={14} aria-hidden />
              {t.playground.openProviders}
            </a>
          </div>
        </>
      )}
      <CallLine facts={facts} unnamed />
    </div>
  );
});
