/** Why the desktop app did not start. */
export interface StartFailure {
  /** `running`: the data folder is served already. `usage`: a wrong argument. `port`, `store`, `config`: it cannot be had. */
  readonly kind: "running" | "usage" | "port" | "store" | "config";
  /** A sentence for a person that says what to do. */
  readonly message: string;
  /** Where the other one is running, if it is known. */
  readonly url: string | null;
}

export interface FailureResponse {
  readonly stdout: string;
  readonly stderr: string;
  /** Shown where no one sees the standard streams; null for none. */
  readonly box: { readonly title: string; readonly content: string } | null;
  readonly exitCode: 0 | 1 | 2;
}

const TITLES: Record<StartFailure["kind"], string> = {
  running: "Postern is already running",
  usage: "Postern was started with a wrong argument",
  port: "Postern cannot listen on its address",
  store: "Postern cannot use its data folder",
  config: "Postern cannot apply its configuration file",
};

/**
 * What is said and how the process ends. An instance that is already there is no failure: it is told on standard output
 * and the process ends with 0. An installed app has no terminal, so it shows the sentence in a box, unless the window of
 * the one that is there was shown instead.
 */
export function failureResponse(
  failure: StartFailure,
  context: { isPackaged: boolean; json: boolean; isShown: boolean },
): FailureResponse {
  const { kind, message, url } = failure;
  const box = context.isPackaged && !context.isShown ? { title: TITLES[kind], content: message } : null;
  if (kind !== "running") return { stdout: "", stderr: `${message}\n`, box, exitCode: kind === "usage" ? 2 : 1 };
  const line = context.json ? JSON.stringify({ event: "already-running", url, message }) : message;
  return { stdout: `${line}\n`, stderr: "", box, exitCode: 0 };
}
