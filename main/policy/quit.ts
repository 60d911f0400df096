/**
 * How long a quit waits for the gateway: 5 s of draining as docs/specification.md#start-and-stop has it, and 3 s to
 * settle and snapshot.
 */
export const QUIT_DEADLINE_MS = 8_000;

/** Max milliseconds for an installer to end the process, after which Postern restarts unchanged. */
export const INSTALL_DEADLINE_MS = 60_000;

export type QuitState = "running" | "draining" | "drained";

export type QuitEvent =
  /** A quit request: menu, tray, log-off, a signal. */
  | "asked"
  /** The gateway is closed, or closing it failed or took too long. */
  | "closed";

export interface QuitStep {
  readonly state: QuitState;
  /** Whether Electron's own quit must be delayed until the gateway has stopped. */
  readonly hold: boolean;
  /** `drain`: close the gateway, once. `exit`: leave now. */
  readonly action: "drain" | "exit" | "none";
}

/**
 * Takes one step of quitting. The first request drains; further ones wait for it rather than aborting it; after
 * draining nothing delays the exit.
 */
export function quitStep(state: QuitState, event: QuitEvent): QuitStep {
  if (state === "running" && event === "asked") return { state: "draining", hold: true, action: "drain" };
  if (state === "draining" && event === "asked") return { state: "draining", hold: true, action: "none" };
  if (state === "draining" && event === "closed") return { state: "drained", hold: false, action: "exit" };
  return { state, hold: false, action: "none" };
}
