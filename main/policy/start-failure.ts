import type { Words } from "./words.ts";

/** Why the desktop app did not start. */
export interface StartFailure {
  /** `running`: the data folder is served already. `usage`: a wrong argument. `port`, `store`: it cannot be had. */
  readonly kind: "running" | "usage" | "port" | "store";
  /** A sentence for the user with the remedy. */
  readonly message: string;
  /** Address of the other one, if it is known. */
  readonly url: string | null;
  /** Conflicting program and a free port, if the kind is `port`. */
  readonly portConflict: { readonly by: string | null; readonly port: number; readonly freePort: number } | null;
}

export interface FailureResponse {
  readonly stdout: string;
  readonly stderr: string;
  /** Whether a box follows. */
  readonly isBoxed: boolean;
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Decides the message and the exit code. A running instance is not a failure: the sentence is on standard output and
 * the exit code is 0. A dialog follows unless a script reads the output, a terminal shows a usage error, or the running
 * instance's window was shown instead.
 */
export function createFailureResponse(
  failure: StartFailure,
  context: { isPackaged: boolean; json: boolean; isShown: boolean },
): FailureResponse {
  const { kind, message, url } = failure;
  const isBoxed = !context.isShown && (context.isPackaged || (!context.json && kind !== "usage"));
  if (kind !== "running") return { stdout: "", stderr: `${message}\n`, isBoxed, exitCode: kind === "usage" ? 2 : 1 };
  const line = context.json ? JSON.stringify({ event: "already-running", url, message }) : message;
  return { stdout: `${line}\n`, stderr: "", isBoxed, exitCode: 0 };
}

/** The action of a button of the box. */
export type BoxAction = { readonly act: "quit" } | { readonly act: "start"; readonly port: number | null };

export interface FailureBox {
  readonly title: string;
  readonly content: string;
  /** The first one is the one that Enter presses; the last one that Escape does. */
  readonly buttons: readonly { readonly label: string; readonly action: BoxAction }[];
}

/** Builds the dialog on why Postern did not start, with the possible remedies. */
export function createFailureBox({ kind, message, portConflict }: StartFailure, { boxes, tray }: Words): FailureBox {
  const title = boxes.notStarted[kind];
  const quit = { label: tray.quit, action: { act: "quit" } } as const;
  if (kind === "usage" || kind === "running") return { title, content: message, buttons: [quit] };
  const again = { label: boxes.tryAgain, action: { act: "start", port: null } } as const;
  if (portConflict === null) return { title, content: message, buttons: [again, quit] };
  const { by, port, freePort } = portConflict;
  const other = { label: boxes.usePort(freePort), action: { act: "start", port: freePort } } as const;
  return { title, content: boxes.portInUse(port, by, freePort), buttons: [other, again, quit] };
}
