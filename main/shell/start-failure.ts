import { app, shell } from "electron";
import { UsageError } from "../../gateway/headless-options.ts";
import { StartError } from "../../gateway/start-error.ts";
import { createFailureBox, createFailureResponse, type BoxAction, type StartFailure } from "../policy/start-failure.ts";
import { chooseWords } from "../policy/words-zh.ts";
import { showBox } from "./box.ts";
import { showRunning } from "../show-running.ts";

/** @returns null for a bug, which is not explained here */
function readFailure(error: unknown): StartFailure | null {
  if (error instanceof UsageError) return { kind: "usage", message: error.message, url: null, portConflict: null };
  if (error instanceof StartError) {
    const { kind, message, url, portConflict } = error;
    return { kind, message, url, portConflict };
  }
  return null;
}

export interface FailedStart {
  readonly json: boolean;
  /** Data folder of the running Postern to show; null without one. */
  readonly dataDir: string | null;
  readonly link: string | null;
  /** Retries the start in this process, optionally with another port. */
  readonly retry: ((port: number | null) => void) | null;
}

/**
 * Shows why the app did not start and exits, or retries in the way that the user chooses.
 * @throws the error itself if it is a bug.
 */
export async function endStart(error: unknown, { json, dataDir, link, retry }: FailedStart): Promise<void> {
  const failure = readFailure(error);
  if (failure === null) throw error;
  const isShown =
    failure.kind === "running" &&
    (dataDir === null || (await showRunning(dataDir, link, (address) => shell.openExternal(address))));
  const { stdout, stderr, isBoxed, exitCode } = createFailureResponse(failure, {
    isPackaged: app.isPackaged,
    json,
    isShown,
  });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  if (!isBoxed) return app.exit(exitCode);
  // Not waited for: Electron is ready only when the entry module has been evaluated, which waits for this.
  void ask(failure, exitCode, retry);
}

async function ask(failure: StartFailure, exitCode: number, retry: FailedStart["retry"]): Promise<void> {
  try {
    const choice = await show(failure);
    if (choice?.act === "start" && retry !== null) return retry(choice.port);
  } catch {
    // Without a box the sentence on standard error has to do.
  }
  app.exit(exitCode);
}

async function show(failure: StartFailure): Promise<BoxAction | undefined> {
  await app.whenReady();
  const { title, content, buttons } = createFailureBox(failure, chooseWords(app.getLocale()));
  const response = await showBox(null, {
    type: "error",
    message: title,
    detail: content,
    buttons: buttons.map(({ label }) => label),
    defaultId: 0,
    cancelId: buttons.length - 1,
  });
  return buttons[response]?.action;
}
