import { useId, type ReactNode } from "react";
import type { ModelView } from "../../../../gateway/contract/model-view.ts";
import { Cost } from "../../../components/ui/figures.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { useSentence } from "../../../components/ui/toasts.tsx";
import { formatDuration } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.tsx";
import { routeHash } from "../../../lib/router.ts";
import { exampleModel } from "../examples.ts";
import type { Trial } from "./use-trial.ts";

export interface TryStepProps {
  readonly models: readonly ModelView[];
  readonly sandbox: boolean;
  readonly trial: Trial;
}

/** A prompt that streams in place, through /v1 with a key, as any client's does. */
export function TryStep({ models, sandbox, trial }: TryStepProps): ReactNode {
  const t = useMessages();
  const sentenceOf = useSentence();
  const field = useId();
  const model = exampleModel(models);
  const { state } = trial;
  if (!models.some(({ capabilities }) => capabilities.includes("chat")))
    return <p className="text-muted">{t.firstRun.noModel}</p>;
  const busy = state.status === "running";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) trial.stop();
        else trial.send(model);
      }}
    >
      <p className="mb-2.5 text-muted">{sandbox ? t.firstRun.tryHelpSandbox(model) : t.firstRun.tryHelp(model)}</p>
      <div className="flex gap-1.5">
        <label htmlFor={field} className="sr-only">
          {t.firstRun.prompt}
        </label>
        <input
          id={field}
          value={trial.prompt}
          onChange={(event) => trial.write(event.target.value)}
          className="h-7 min-w-0 grow rounded-md border border-line-strong bg-raised px-2 pointer-coarse:h-9"
        />
        <Button type="submit" disabled={!busy && trial.prompt.trim() === ""}>
          {busy ? t.firstRun.stop : t.firstRun.send}
        </Button>
      </div>
      <output aria-label={t.firstRun.response} className="block">
        {state.text !== "" && (
          <p className="mt-2.5 max-h-40 overflow-y-auto whitespace-pre-wrap wrap-anywhere">{state.text}</p>
        )}
        {state.fault !== null && <p className="mt-2.5 text-danger-text wrap-anywhere">{sentenceOf(state.fault)}</p>}
      </output>
      {state.status === "done" && (
        <p className="numeric mt-1.5 flex flex-wrap gap-x-3 text-meta text-muted">
          <span>{formatDuration(state.ms)}</span>
          {state.receipt !== null && <Cost nano={state.receipt.nano} sandbox={state.receipt.sandbox} />}
          <a href={routeHash("playground", { kind: "chat", model: state.model })}>{t.firstRun.playground}</a>
        </p>
      )}
    </form>
  );
}
