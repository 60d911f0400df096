import type { ReactNode } from "react";

/** Two letters in a square: the makers' own signs are theirs. */
export function ClientMark({ name }: { readonly name: string }): ReactNode {
  const [first = "", second] = name.split(/[ -]/);
  const letters = second === undefined ? first.slice(0, 2) : `${first[0] ?? ""}${second[0] ?? ""}`;
  return (
    <span
      aria-hidden
      className="flex size-8 shrink-0 items-center justify-center rounded-md border border-line bg-canvas font-mono text-meta text-muted"
    >
      {letters.charAt(0).toUpperCase() + letters.slice(1)}
    </span>
  );
}
