import { app } from "electron";
import { UsageError } from "../../gateway/headless-options.ts";
import { StartError } from "../../gateway/start-error.ts";
import { failureResponse, type StartFailure } from "../policy/start-failure.ts";
import { endWithBox } from "./box.ts";

/** @returns null for a bug, which is no one's to explain here. */
function failureOf(error: unknown): StartFailure | null {
  if (error instanceof UsageError) return { kind: "usage", message: error.message, url: null };
  if (error instanceof StartError) return { kind: error.kind, message: error.message, url: error.url };
  return null;
}

/**
 * Says why the app did not start and ends the process.
 * @param isShown whether the one that is running already has brought its window to the front.
 * @throws the error itself when it is a bug.
 */
export function endStart(error: unknown, json: boolean, isShown = false): void {
  const failure = failureOf(error);
  if (failure === null) throw error;
  const response = failureResponse(failure, { isPackaged: app.isPackaged, json, isShown });
  process.stdout.write(response.stdout);
  process.stderr.write(response.stderr);
  const { box, exitCode } = response;
  if (box === null) app.exit(exitCode);
  else endWithBox(() => box, exitCode);
}
