import type { ReactNode } from "react";
import { usePart, type Part } from "../../lib/part.ts";

export interface LazyPartProps<Props> {
  readonly part: Part<Props>;
  readonly props: Props & object;
}

/** Renders a lazy-loaded part of a page; nothing until it is loaded. */
export function LazyPart<Props>({ part, props }: LazyPartProps<Props>): ReactNode {
  const state = usePart(part);
  return state.status === "here" ? <state.component {...props} /> : null;
}
