import type { ConnectionView } from "../../../../gateway/contract/connection.ts";
import type { State } from "../../../../gateway/contract/control.ts";
import type { KeyView } from "../../../../gateway/contract/key.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";

/** The first run, step by step, and when a step is done. Pure. */

export const steps = ["provider", "key", "tool", "try"] as const;
export type Step = (typeof steps)[number];

/** Those of earlier versions: who left out all of these has no step to come. */
const EARLIER: readonly Step[] = ["provider", "tool", "try"];

/**
 * What the user left out, as it is stored: the data folder, then the steps. It is a preference of whoever looks, and
 * must be known before the first paint, so it lies with the theme in localStorage; another data folder behind the same
 * address starts again.
 */
export function skippedSteps(stored: string | null, dataDir: string): ReadonlySet<Step> {
  const [folder, ...names] = (stored ?? "").split("\n");
  if (folder !== dataDir) return new Set();
  if (EARLIER.every((step) => names.includes(step))) return new Set(steps);
  return new Set(steps.filter((step) => names.includes(step)));
}

export const storedSkips = (dataDir: string, skipped: Iterable<Step>): string => [dataDir, ...skipped].join("\n");

/** The first response that a provider gave, of those that are known; null while there is none. */
export function firstResponse(newest: readonly Receipt[]): Receipt | null {
  return newest.findLast(({ outcome, sandbox }) => outcome === "completed" && !sandbox) ?? null;
}

/** Whether a provider has responded this month. */
export function hasResponded({ month }: State): boolean {
  return month.requests > month.errors + month.cancelled_requests;
}

type Heard = Pick<ConnectionView, "name" | "models">;

/** The providers that have told what they serve: before that the steps after theirs have nothing of theirs to choose. */
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
