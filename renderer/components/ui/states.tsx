import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { Button } from "./button.tsx";
import { useSentence } from "./toasts.tsx";

export interface EmptyProps {
  readonly title: string;
  readonly help: string;
  /** The one thing to do next. */
  readonly action?: ReactNode;
  readonly icon?: ReactNode;
}

export function Empty({ title, help, action, icon }: EmptyProps): ReactNode {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      {icon !== undefined && <div className="mb-3 text-faint">{icon}</div>}
      <p className="font-medium">{title}</p>
      <p className="mt-0.5 max-w-96 text-balance text-muted">{help}</p>
      {action !== undefined && <div className="mt-4">{action}</div>}
    </div>
  );
}

/** The gateway's own error message, and a button to try again. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }): ReactNode {
  const t = useMessages();
  const sentenceOf = useSentence();
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-6">
      <CircleAlert size={18} aria-hidden className="shrink-0 text-danger-text" />
      <div className="min-w-0 grow basis-52">
        <p className="font-medium">{t.app.loadFailed}</p>
        <p className="text-muted wrap-anywhere">{sentenceOf(error)}</p>
      </div>
      <Button icon={<RotateCw size={14} aria-hidden />} onClick={onRetry}>
        {t.app.retry}
      </Button>
    </div>
  );
}

/** Rows to come. Shown only when they take longer than 150 ms (see `skeleton`). */
export function SkeletonRows({ rows = 4 }: { readonly rows?: number }): ReactNode {
  const t = useMessages();
  return (
    <div aria-busy="true">
      <span className="sr-only">{t.app.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex h-8 items-center gap-6 px-3">
          <span className="skeleton h-2.5 w-20" />
          <span className="skeleton h-2.5 grow" />
          <span className="skeleton h-2.5 w-16" />
        </div>
      ))}
    </div>
  );
}

const noticeTones = {
  info: "bg-info-soft text-info-text",
  warning: "bg-warning-soft text-warning-text",
  danger: "bg-danger-soft text-danger-text",
} as const;

export interface NoticeLineProps {
  readonly level: keyof typeof noticeTones;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function NoticeLine({ level, children, action }: NoticeLineProps): ReactNode {
  return (
    <div
      className={`flex min-h-8 items-center gap-3 rounded-md py-1 pr-1 pl-3 forced-colors:border ${noticeTones[level]}`}
    >
      <p className="min-w-0 grow py-0.5 wrap-anywhere">{children}</p>
      {action}
    </div>
  );
}
