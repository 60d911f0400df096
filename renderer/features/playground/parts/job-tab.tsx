import type { ReactNode } from "react";

/** A form and, beside or below it, what came of it. */
export function JobTab({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="grid gap-4 min-[900px]:grid-cols-[minmax(300px,380px)_minmax(0,1fr)]">{children}</div>;
}
