import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { State } from "../../../../gateway/contract/control.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";

/** The three steps of the first run. Pure. */
export const steps = ["provider", "tool", "try"] as const;
export type Step = (typeof steps)[number];

/**
 * What the owner left out, as it is stored: the data folder, then the steps. It is a preference of whoever looks, and
 * must be known before the first paint, so it lies with the theme in localStorage; another data folder behind the same
 * address starts anew.
 */
export function skippedSteps(stored: string | null, dataDir: string): ReadonlySet<Step> {
  const [folder, ...names] = (stored ?? "").split("\n");
  return new Set(folder === dataDir ? steps.filter((step) => names.includes(step)) : []);
}

export const storedSkips = (dataDir: string, skipped: Iterable<Step>): string => [dataDir, ...skipped].join("\n");

/** Whether a provider has answered already: this month, or among the newest requests. */
export function hasRealResponse({ month }: State, newest: readonly Receipt[]): boolean {
  return month.requests > month.errors || newest.some(({ outcome, sandbox }) => outcome === "completed" && !sandbox);
}

/** The providers that have told what they serve: before that the steps after theirs have nothing of theirs to choose. */
export function heardProviders(connections: readonly Pick<ConnectionView, "name" | "models">[]): string[] {
  return connections.filter(({ models }) => models.checked_at !== null).map(({ name }) => name);
}
