import { Wrench } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { TextAreaField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import type { ToolUse } from "./conversation.ts";

export interface ToolUseViewProps {
  readonly tool: ToolUse;
  /** Whether all of its input has come. */
  readonly complete: boolean;
  readonly onResult?: (result: string | null) => void;
}

/** A tool call of the model, and the result that the user enters. */
export function ToolUseView({ tool: { name, input, result }, complete, onResult }: ToolUseViewProps): ReactNode {
  const t = useMessages();
  const [typed, setTyped] = useState(result ?? "");
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-md border border-line px-3 py-2">
      <p className="flex items-center gap-1.5">
        <Wrench size={13} aria-hidden className="shrink-0 text-muted" />
        <span className="text-muted">{t.playground.calls}</span>
        <code className="font-mono text-meta wrap-anywhere">{name}</code>
      </p>
      <pre className="font-mono text-meta whitespace-pre-wrap text-muted wrap-anywhere">{pretty(input)}</pre>
      {complete && result === null && onResult !== undefined && (
        <>
          <TextAreaField
            label={t.playground.toolResult(name)}
            rows={2}
            mono
            value={typed}
            placeholder={t.playground.toolResultExample}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button className="self-start" disabled={typed.trim() === ""} onClick={() => onResult(typed)}>
            {t.playground.giveResult}
          </Button>
        </>
      )}
      {result !== null && (
        <div>
          <p className="text-meta text-muted">{t.playground.answered}</p>
          <pre className="font-mono text-meta whitespace-pre-wrap wrap-anywhere">{result}</pre>
        </div>
      )}
    </div>
  );
}

/** Pretty-prints JSON once it is complete. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
