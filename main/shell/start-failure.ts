import { app, dialog } from "electron";
import { UsageError } from "../../gateway/headless-options.ts";
import { StartError } from "../../gateway/start-error.ts";
import { failureResponse, type StartFailure } from "../policy/start-failure.ts";

/** @returns null for a bug, which is nobody's to explain here. */
function failureOf(error: unknown): StartFailure | null {
  if (error instanceof UsageError) return { kind: "usage", message: error.message, url: null };
  if (error instanceof StartError) return { kind: error.kind, message: error.message, url: error.url };
  return null;
}

/**
 * Says why the app did not start and ends the process.
 * @throws the error itself when it is a bug.
 */
export function endStart(error: unknown, json: boolean): void {
  const failure = failureOf(error);
  if (failure === null) throw error;
  const response = failureResponse(failure, { isPackaged: app.isPackaged, json });
  process.stdout.write(response.stdout);
  process.stderr.write(response.stderr);
  if (response.box !== null) dialog.showErrorBox(response.box.title, response.box.content);
  app.exit(response.exitCode);
}
