import { app } from "electron";
import { loggedError } from "../../gateway/core/logged-error.ts";
import type { Log } from "../../gateway/lib/log.ts";
import { getMessage } from "../../gateway/lib/message-of.ts";
import { fatalResponse, STOPPED } from "../policy/fatal.ts";
import { english, type Words } from "../policy/words.ts";
import { chooseWords } from "../policy/words-zh.ts";
import { endWithBox } from "./box.ts";
import { startAgain } from "./relaunch.ts";

const makeBox = (reason: string, { boxes }: Words) => ({ title: boxes.stopped, content: boxes.stoppedDetail(reason) });

/**
 * Ends the process at the first unexpected error, like the headless gateway: memory can no longer be trusted, and
 * everything acknowledged is on disk. Electron's default is to show the error and continue.
 */
export function endOnFatalErrors(log: Pick<Log, "error" | "flush">): void {
  const end = (error: unknown): void => {
    log.error("crash", { ...loggedError(error) });
    log.flush();
    const reason = getMessage(error);
    const response = fatalResponse(process.uptime(), app.isPackaged, STOPPED in process.env);
    if (response === "relaunch" || response === "tell") {
      // Not an argument, because those are visible to all users of the machine.
      if (response === "tell") process.env[STOPPED] = reason;
      return startAgain(1);
    }
    const { title, content } = makeBox(reason, english);
    if (response === "print") process.stderr.write(`${title}: ${content}\n`);
    app.exit(1);
  };
  // A closed output must not end the gateway.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}

/**
 * Says why the process before this one stopped, where that is what this one was started for.
 * @returns whether it was.
 */
export function showStopReason(env: Readonly<Record<string, string | undefined>>): boolean {
  const reason = env[STOPPED];
  if (reason === undefined) return false;
  endWithBox(() => makeBox(reason, chooseWords(app.getLocale())), 1);
  return true;
}
