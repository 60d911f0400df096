import { Check } from "lucide-react";
import { useId, type ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { useMessages } from "../../../lib/i18n.tsx";

export interface StepCardProps {
  /** 1, 2, 3. */
  readonly number: number;
  readonly title: string;
  readonly state: "open" | "done" | "skipped";
  /** Result of the step, once it is done. */
  readonly outcome: string | null;
  /** Whether its content is shown. */
  readonly active: boolean;
  readonly onOpen: () => void;
  readonly onSkip: () => void;
  /** Opens the next step; null if there are no more steps. */
  readonly onNext: (() => void) | null;
  readonly children: ReactNode;
}

/** A step: a line, with its content below while it is active. */
export function StepCard(props: StepCardProps): ReactNode {
  const { number, title, state, outcome, active, onOpen, onSkip, onNext, children } = props;
  const t = useMessages();
  const content = useId();
  return (
    <section aria-label={title} className="border-line not-first:border-t">
      <div className="flex min-h-10 items-center gap-2 pr-2 pl-3.5">
        <h3 className="min-w-0 grow">
          <button
            type="button"
            data-step={active ? "active" : ""}
            aria-expanded={active}
            aria-controls={content}
            onClick={onOpen}
            className="flex min-h-9 w-full items-center gap-2.5 rounded-sm text-left"
          >
            <span
              aria-hidden
              className={`numeric flex size-5 shrink-0 items-center justify-center rounded-full text-meta forced-colors:border ${
                state === "done"
                  ? "bg-success-soft text-success-text"
                  : active
                    ? "bg-accent text-on-accent"
                    : "bg-pressed text-muted"
              }`}
            >
              {state === "done" ? <Check size={12} /> : number}
            </span>
            <span className={`shrink-0 ${active ? "font-semibold" : state === "open" ? "font-medium" : "text-muted"}`}>
              {title}
            </span>
            {outcome !== null && <span className="min-w-0 truncate text-muted">{outcome}</span>}
          </button>
        </h3>
        {state === "open" ? (
          <Button look="quiet" aria-label={t.firstRun.skipCard(title)} onClick={onSkip}>
            {t.firstRun.skip}
          </Button>
        ) : (
          <span className="shrink-0 px-2.5 text-meta text-muted">{t.firstRun[state]}</span>
        )}
      </div>
      <div id={content} hidden={!active} className="pr-3.5 pb-3.5 pl-11">
        {active && children}
        {active && state === "done" && onNext !== null && (
          <Button look="primary" className="mt-3" onClick={onNext}>
            {t.firstRun.next}
          </Button>
        )}
      </div>
    </section>
  );
}
