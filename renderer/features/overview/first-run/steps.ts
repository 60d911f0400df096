import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { State } from "../../../../gateway/contract/control.ts";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";

/** The first run, step by step, and when a step is done. Pure. */

export const steps = ["provider", "key", "tool", "try"] as const;
export type Step = (typeof steps)[number];

/** Steps of earlier versions: a user who skipped all of these has no step left. */
const EARLIER: readonly Step[] = ["provider", "tool", "try"];

/**
 * Parses the skipped steps as they are stored: the data folder, then the steps. This is a preference of the browser, and
 * must be known before the first paint, so it lies with the theme in localStorage; another data folder at the same address
 * starts over.
 */
export function skippedSteps(stored: string | null, dataDir: string): ReadonlySet<Step> {
  const [folder, ...names] = (stored ?? "").split("\n");
  if (folder !== dataDir) return new Set();
  if (EARLIER.every((step) => names.includes(step))) return new Set(steps);
  return new Set(steps.filter((step) => names.includes(step)));
}

export const storedSkips = (dataDir: string, skipped: Iterable<Step>): string => [dataDir, ...skipped].join("\n");

/** Returns the first response of a provider among the known receipts; null without one. */
export function firstResponse(newest: readonly Receipt[]): Receipt | null {
  return newest.findLast(({ outcome, sandbox }) => outcome === "completed" && !sandbox) ?? null;
}

/** Whether a provider has responded this month. */
export function hasResponded({ month }: State): boolean {
  return month.requests > month.errors + month.cancelled_requests;
}

type Heard = Pick<ConnectionView, "name" | "models">;

/** Returns the providers whose models are known: until then the next steps have no models of theirs to choose. */
export function heardProviders<Connection extends Heard>(connections: readonly Connection[]): Connection[] {
  return connections.filter(({ models }) => models.checked_at !== null);
}

/** A key that an app has used. The one of the playground is in no app. @param playground its name */
export function usedKey(keys: readonly KeyView[], playground: string): KeyView | null {
  return keys.find(({ name, last_used_at }) => name !== playground && last_used_at !== null) ?? null;
}

/** The step that is open: the one that was chosen, else the first that is neither done nor left out. */
export function activeStep(chosen: Step | null, isOpen: (step: Step) => boolean): Step | null {
  return chosen ?? steps.find(isOpen) ?? null;
}
