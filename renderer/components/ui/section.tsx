import type { ReactNode } from "react";

export interface SectionProps {
  readonly title: string;
  /** At the right of its heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a dialog under its own heading. */
export function Section({ title, actions, children }: SectionProps): ReactNode {
  return (
    <section aria-label={title} className="min-w-0">
      <div className="flex min-h-8 items-center gap-1">
        <h3 className="grow font-semibold">{title}</h3>
        {actions}
      </div>
      {children}
    </section>
  );
}
