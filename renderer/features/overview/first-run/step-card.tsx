import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../../lib/i18n.tsx";
import { Button } from "../../../components/ui/button.tsx";

export interface StepCardProps {
  /** 1, 2, 3. */
  readonly number: number;
  readonly title: string;
  readonly state: "open" | "done" | "skipped";
  readonly onSkip: () => void;
  readonly children: ReactNode;
}

export function StepCard({ number, title, state, onSkip, children }: StepCardProps): ReactNode {
  const t = useMessages();
  return (
    <section
      aria-label={title}
      className="flex min-w-0 flex-col border-line px-3.5 py-3 not-first:max-[899px]:border-t not-first:min-[900px]:border-l"
    >
      <div className="mb-1.5 flex min-h-7 items-center gap-2">
        <span
          aria-hidden
          className={`numeric flex size-5 shrink-0 items-center justify-center rounded-full text-meta forced-colors:border ${
            state === "done" ? "bg-success-soft text-success-text" : "bg-pressed text-muted"
          }`}
        >
          {state === "done" ? <Check size={12} /> : number}
        </span>
        <h3 className="min-w-0 grow truncate font-medium">{title}</h3>
        {state === "open" ? (
          <Button look="quiet" aria-label={t.firstRun.skipCard(title)} onClick={onSkip}>
            {t.firstRun.skip}
          </Button>
        ) : (
          <span className="text-meta text-muted">{t.firstRun[state]}</span>
        )}
      </div>
      {children}
    </section>
  );
}
