/** Same type as in renderer/bridge.ts. */
export interface UpdateState {
  readonly state: "unsupported" | "idle" | "checking" | "available" | "downloading" | "ready" | "failed";
  readonly version: string | null;
  readonly message: string | null;
}

export interface UpdateFacts {
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** Linux: whether it runs from an AppImage, the only kind of package that can update itself. */
  readonly isAppImage: boolean;
  /** Whether the package has a release feed. */
  readonly hasFeed: boolean;
}

/** Manual remedy if updates are unsupported. */
const BY_HAND = "Install the newer version over this one; the data folder stays as it is.";

/** Returns why Postern cannot update itself and what to do instead; null if it can. */
export function unsupportedBecause(facts: UpdateFacts): string | null {
  if (!facts.isPackaged) return 'This is a working copy: update it with "git pull" and "npm ci", then start it again.';
  if (!facts.hasFeed) return `This package was built without an address to look for newer versions at. ${BY_HAND}`;
  if (facts.platform === "linux" && !facts.isAppImage) {
    return 'Packages of the system are updated by it: install the newer one with "sudo apt install ./Postern-….deb" or "sudo dnf install ./Postern-….rpm".';
  }
  return null;
}

/**
 * Explains why an update failed, in particular if macOS refuses to replace an unsigned app. The library forwards
 * Squirrel.Mac's "Could not get code signature for running application" and "Code signature at URL … did not pass
 * validation" (https://github.com/Squirrel/Squirrel.Mac, read on 29 November 2026).
 */
export function explainFailure(message: string): string {
  return /code signature/i.test(message)
    ? `macOS lets only signed apps update themselves, and this copy or the newer one is not signed. ${BY_HAND}`
    : message;
}

export type UpdateEvent =
  | { readonly type: "check" }
  | { readonly type: "none" }
  | { readonly type: "found"; readonly version: string }
  | { readonly type: "download" }
  | { readonly type: "progress"; readonly percent: number }
  | { readonly type: "downloaded"; readonly version: string }
  | { readonly type: "failed"; readonly message: string };

/** Tells whether the user may request a check. There are no automatic retries, so that a failure never loops. */
export function mayCheck({ state }: UpdateState): boolean {
  return state === "idle" || state === "available" || state === "failed";
}

/** Returns the state after an event; out-of-order events change nothing. */
export function updateStep(now: UpdateState, event: UpdateEvent): UpdateState {
  if (now.state === "unsupported") return now;
  switch (event.type) {
    case "check":
      return mayCheck(now) ? { state: "checking", version: null, message: null } : now;
    case "none":
      return now.state === "checking" ? { state: "idle", version: null, message: "This is the newest version." } : now;
    case "found":
      return now.state === "checking" ? { state: "available", version: event.version, message: null } : now;
    case "download":
      return now.state === "available" ? { ...now, state: "downloading", message: null } : now;
    case "progress":
      return now.state === "downloading" ? { ...now, message: `${Math.floor(event.percent)} %` } : now;
    case "downloaded":
      return now.state === "downloading"
        ? { state: "ready", version: event.version, message: "It is installed when Postern restarts." }
        : now;
    case "failed":
      return { ...now, state: "failed", message: event.message };
  }
}

export const IDLE: UpdateState = { state: "idle", version: null, message: null };
