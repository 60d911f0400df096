import type { ReactNode } from "react";
import { usePart, type Part } from "../../lib/part.ts";

export interface LazyPartProps<Props> {
  readonly part: Part<Props>;
  readonly props: Props & object;
}

/** A part of a page, once its code is fetched; nothing before. */
export function LazyPart<Props>({ part, props }: LazyPartProps<Props>): ReactNode {
  const state = usePart(part);
  return state.status === "here" ? <state.component {...props} /> : null;
}
