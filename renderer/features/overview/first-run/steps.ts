import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { State } from "../../../../gateway/contract/control.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";

/** The first run, step by step, and when a step is done. Pure. */

export const steps = ["provider", "tool", "try"] as const;
export type Step = (typeof steps)[number];

/** Stored next to the skipped steps once the first run is over. */
export const OVER = "over";

/**
 * Parses the skipped steps as they are stored: the data folder, then the steps. This is a preference of the browser, and
 * must be known before the first paint, so it lies with the theme in localStorage; another data folder at the same address
 * starts over.
 */
export function skippedSteps(stored: string | null, dataDir: string): ReadonlySet<Step> {
  const names = listStored(stored, dataDir);
  return new Set(steps.filter((step) => names.includes(step)));
}

/** Whether a provider has responded, the user has hidden the steps, or each of them is skipped. */
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

/** Returns the providers whose models are known: until then the next steps have no models of theirs to choose. */
export function listCheckedProviders<Connection extends CheckedConnection>(
  connections: readonly Connection[],
): Connection[] {
  return connections.filter(({ models }) => models.checked_at !== null);
}

/** The step that is open: the one that was chosen, else the first that is neither done nor left out. */
export function activeStep(chosen: Step | null, isOpen: (step: Step) => boolean): Step | null {
  return chosen ?? steps.find(isOpen) ?? null;
}
