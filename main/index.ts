import { runHeadless } from "../gateway/headless.ts";
import { readHeadlessOptions } from "../gateway/headless-options.ts";
import { systemClock } from "../gateway/lib/clock.ts";
import { createLog } from "../gateway/lib/log.ts";
import { alreadyRunning } from "../gateway/running-instance.ts";
import { nodeStoreFs } from "../gateway/store/disk/store-fs.ts";
import { ownArguments, startMode, startsHidden } from "./policy/own-arguments.ts";
import { makeShellFolder } from "./shell-folder.ts";
import { wasStartedBySession } from "./shell/autostart.ts";
import { endOnFatalErrors } from "./shell/fatal.ts";
import { collectLinks } from "./shell/links.ts";
import { prepareApp, whenReady } from "./shell/prepare-app.ts";
import { claimSingleInstance } from "./shell/single-instance.ts";
import { endStart } from "./shell/start-failure.ts";
import { startDesktop } from "./start-desktop.ts";

const log = createLog((lines) => process.stderr.write(lines), systemClock.now);
const own = ownArguments(process.argv);
const json = own.includes("--json");

/** Everything that comes before Electron is ready. What comes after it is startDesktop. */
async function open(): Promise<void> {
  endOnFatalErrors(log);
  const options = readHeadlessOptions(own, process.env);
  if (options === "help") return;
  const folder = await makeShellFolder(nodeStoreFs, options.dataDir);
  prepareApp(folder);
  if (!claimSingleInstance()) throw await alreadyRunning(options.dataDir);
  const links = collectLinks(process.argv);
  // Not waited for: Electron is ready only after this module has been evaluated to its end.
  whenReady(
    () => {
      const hidden = startsHidden(process.argv) || wasStartedBySession();
      return startDesktop({ ...options, log, own, links, hidden }, folder ?? options.dataDir);
    },
    (error) => endStart(error, json),
  );
}

// Evaluation waits for both: what they set up must be there before Electron is ready.
if (startMode(own) === "headless") await runHeadless(own, process.env);
else await open().catch((error: unknown) => endStart(error, json));
