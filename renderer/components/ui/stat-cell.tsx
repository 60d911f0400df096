import type { ReactNode } from "react";

export interface StatCellProps {
  readonly label: string;
  readonly figure: ReactNode;
  readonly note: ReactNode;
  readonly className?: string;
}

/** A figure of a strip: its label, its value, and a note. */
export function StatCell({ label, figure, note, className }: StatCellProps): ReactNode {
  return (
    <div className={`min-w-0 bg-surface px-3.5 py-2.5 ${className ?? ""}`}>
      <dt className="truncate text-meta text-faint">{label}</dt>
      <dd>
        <div className="numeric mt-0.5 flex h-7 items-center gap-2 truncate text-title font-semibold tracking-[-0.01em]">
          {figure}
        </div>
        <div className="numeric flex min-h-4 flex-wrap items-center gap-x-2 gap-y-0.5 text-meta text-muted">{note}</div>
      </dd>
    </div>
  );
}
