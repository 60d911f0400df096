import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { State } from "../../../../gateway/contract/control.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";

/** Steps of the first run, and when each is done. Pure. */

export const steps = ["provider", "tool", "try"] as const;
export type Step = (typeof steps)[number];

/** Stored with the skipped steps once the first run is over. */
export const OVER = "over";

/**
 * Parses the stored skipped steps: the data folder, then the steps. This browser preference is needed before the first
 * paint, so it is in localStorage like the theme; another data folder at the same address starts over.
 */
export function skippedSteps(stored: string | null, dataDir: string): ReadonlySet<Step> {
  const names = listStored(stored, dataDir);
  return new Set(steps.filter((step) => names.includes(step)));
}

/** Tells whether a provider has responded, the user has hidden the steps, or all of them are skipped. */
export function isFirstRunOver(stored: string | null, dataDir: string): boolean {
  return listStored(stored, dataDir).includes(OVER) || skippedSteps(stored, dataDir).size === steps.length;
}

function listStored(stored: string | null, dataDir: string): readonly string[] {
  const [folder, ...names] = (stored ?? "").split("\n");
  return folder === dataDir ? names : [];
}

export const storedSkips = (dataDir: string, names: Iterable<Step | typeof OVER>): string =>
  [dataDir, ...names].join("\n");

/** Returns the first response of a provider among the known receipts; null without one. */
export function firstResponse(newest: readonly Receipt[]): Receipt | null {
  return newest.findLast(({ outcome, sandbox }) => outcome === "completed" && !sandbox) ?? null;
}

/** Whether a provider has responded this month. */
export function hasResponded({ month }: State): boolean {
  return month.requests > month.errors + month.cancelled_requests;
}

type CheckedConnection = Pick<ConnectionView, "name" | "models">;

/** Returns the providers with known models: before that the next steps have no models to choose. */
export function listCheckedProviders<Connection extends CheckedConnection>(
  connections: readonly Connection[],
): Connection[] {
  return connections.filter(({ models }) => models.checked_at !== null);
}

/** Returns the expanded step: the chosen one, else the first that is neither done nor skipped. */
export function activeStep(chosen: Step | null, isOpen: (step: Step) => boolean): Step | null {
  return chosen ?? steps.find(isOpen) ?? null;
}
