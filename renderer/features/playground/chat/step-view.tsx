import { memo, useMemo } from "react";
import type { ReactNode } from "react";
import { useMessages } from "../../../lib/i18n.tsx";
import { nameOf } from "../../../lib/names.ts";
import { CallLine } from "../parts/call-line.tsx";
import { FaultNote } from "../parts/fault-note.tsx";
import { Waiting } from "../parts/job-list.tsx";
import type { Step } from "./conversation.ts";
import { ToolUseView } from "./tool-use-view.tsx";
import { CopyIcon } from "../../../components/ui/copy.tsx";

/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- What scrolls has to be reached by the keyboard. */

/** A model's words in parts: what stands between code fences is code, the rest is text. Nothing is interpreted. */
type TextBlock =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly language: string; readonly text: string };

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/;

/** A fence that is not closed holds all that follows: the response may still be coming. */
export function blocksOf(words: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  let lines: string[] = [];
  let open: { readonly fence: string; readonly language: string } | null = null;
  const end = (): void => {
    const text = lines.join("\n");
    lines = [];
    if (open !== null) blocks.push({ kind: "code", language: open.language, text });
    else if (text.trim() !== "") blocks.push({ kind: "text", text: text.replace(/^\n+|\n+$/g, "") });
  };
  for (const line of words.split("\n")) {
    const found = FENCE.exec(line);
    const fence = found?.[1] ?? "";
    if (open === null && fence !== "") {
      end();
      open = { fence, language: found?.[2] ?? "" };
    } else if (open !== null && fence.startsWith(open.fence) && found?.[2] === "") {
      end();
      open = null;
    } else lines.push(line);
  }
  if (open !== null || lines.length > 0) end();
  return blocks;
}

/** A model's words: text as it is, and code in a frame. Never markup. */
const Words = memo(function Words({ text }: { readonly text: string }): ReactNode {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {blocks.map((block, index) =>
        block.kind === "code" ? (
          <CodeBlock key={index} language={block.language} text={block.text} />
        ) : (
          <p key={index} className="whitespace-pre-wrap wrap-anywhere">
            {block.text}
          </p>
        ),
      )}
    </div>
  );
});

function CodeBlock({ language, text }: { readonly language: string; readonly text: string }): ReactNode {
  const t = useMessages();
  const name = language === "" ? t.playground.code : t.playground.codeIn(language);
  return (
    <div className="min-w-0 rounded-md border border-line bg-canvas">
      <div className="flex h-8 items-center justify-between border-b border-line pr-0.5 pl-3 text-meta text-muted">
        <span className="truncate">{language === "" ? t.playground.code : language}</span>
        <CopyIcon text={text} label={t.playground.copyCode} />
      </div>
      <section aria-label={name} tabIndex={0} className="overflow-x-auto px-3 py-2">
        <pre className="font-mono text-meta">{text}</pre>
      </section>
    </div>
  );
}

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
