/** A process that lives no longer than this would only die again, seconds. */
const WORTH_RESTARTING_AFTER_S = 60;

export type FatalResponse =
  | { readonly act: "relaunch" }
  | { readonly act: "stop"; readonly title: string; readonly content: string };

/**
 * What to do after an error that nobody expected. An installed app starts again; one that was started from a terminal
 * ends there, where its owner sees it.
 * @param uptime of the process, seconds.
 */
export function fatalResponse(uptime: number, isPackaged: boolean, error: unknown): FatalResponse {
  if (isPackaged && uptime >= WORTH_RESTARTING_AFTER_S) return { act: "relaunch" };
  const reason = error instanceof Error ? error.message : String(error);
  const content = `${reason}\n\nNothing that was saved is lost. "postern doctor" says what is wrong with the data folder.`;
  return { act: "stop", title: "Postern stopped because of an internal error", content };
}
