import type { PageRoute } from "./page-route.ts";

/** A notice of the operating system. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  /** The page that a click on it shows. */
  readonly opens: PageRoute;
}

const LONGEST = 300;

/** Text from outside, such as a provider's error: one line, bounded, without control or direction marks. */
export function writePlainText(text: string, longest = LONGEST): string {
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
