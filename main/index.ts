import { runHeadless } from "../gateway/headless.ts";
import { readHeadlessOptions, UsageError } from "../gateway/headless-options.ts";
import { systemClock } from "../gateway/lib/clock.ts";
import { createLog } from "../gateway/lib/log.ts";
import { alreadyRunning } from "../gateway/running-instance.ts";
import { checkWritable } from "../gateway/start.ts";
import { logFile, openLogFile } from "../gateway/store/disk/log-file.ts";
import { nodeStoreFs } from "../gateway/store/disk/store-fs.ts";
import { readDesktopMemory } from "./desktop-memory.ts";
import { getLinkAmong, listShortArguments } from "./policy/deep-link.ts";
import { getPasswordStore } from "./policy/keychain.ts";
import { nameCommand } from "./name-command.ts";
import { listOwnArguments, startMode, startsHidden } from "./policy/own-arguments.ts";
import { readProtection } from "./sealed-by.ts";
import { makeShellFolder } from "./shell-folder.ts";
import { wasStartedBySession } from "./shell/autostart.ts";
import { endOnFatalErrors, showStopReason } from "./shell/fatal.ts";
import { collectLinks } from "./shell/links.ts";
import { doWithoutDisplay, isPackaged, keepProfile, prepareApp, whenReady } from "./shell/prepare-app.ts";
import { startAgain, startWith } from "./shell/relaunch.ts";
import { claimSingleInstance } from "./shell/single-instance.ts";
import { endStart } from "./shell/start-failure.ts";
import { startDesktop } from "./start-desktop.ts";
import { installedWallets } from "./wallets.ts";

const log = createLog((lines) => writeLog(lines), systemClock.now);
const own = listOwnArguments(process.argv);
/** Standard error, and the file of a data folder that can be had. */
let writeLog = (lines: string): void => void process.stderr.write(lines);
const json = own.includes("--json");

/** Everything that comes before Electron is ready. What comes after it is startDesktop. */
async function open(): Promise<void> {
  endOnFatalErrors(log);
  const options = readHeadlessOptions(own, process.env);
  if (options === "help") return;
  const short = listShortArguments(process.argv);
  if (short === null) throw new UsageError("The command line is longer than 16 KiB.");
  if (short !== process.argv) return startWith(short);
  const folder = await makeShellFolder(nodeStoreFs, options.dataDir);
  const { dataDir } = options;
  const sealers = await readProtection(nodeStoreFs, dataDir);
  const isLinux = process.platform === "linux";
  const keychain = isLinux ? getPasswordStore(sealers, await installedWallets(nodeStoreFs, process.env)) : null;
  const { appearance } = await readDesktopMemory(nodeStoreFs, folder ?? dataDir);
  prepareApp(folder, keychain, appearance.language);
  if (showStopReason(process.env)) return;
  const shown = { json, dataDir: startsHidden(process.argv) ? null : dataDir, link: getLinkAmong(process.argv) };
  if (!claimSingleInstance()) {
    // Chromium's lock also fails if the folder is not writable.
    await checkWritable(dataDir);
    return endStart(await alreadyRunning(dataDir), { ...shown, retry: null });
  }
  const keepLines = openLogFile(logFile(dataDir));
  writeLog = (lines) => {
    keepLines(lines);
    process.stderr.write(lines);
  };
  const links = collectLinks(process.argv);
  const start = async (port: number | null): Promise<void> => {
    const hidden = startsHidden(process.argv) || wasStartedBySession();
    const facts = { ...options, port: port ?? options.port, log, own, links, hidden, sealedBy: sealers };
    await startDesktop(facts, folder ?? dataDir).catch((error: unknown) =>
      endStart(error, { ...shown, retry: (other) => void start(other) }),
    );
  };
  // Not awaited: Electron is ready only after this module has been evaluated.
  whenReady(() => start(null));
}

/** Finds the folder of Chromium's profile for a start without a window, which would be the account's otherwise. */
async function findProfile(): Promise<string | null> {
  const options = readHeadlessOptions(own, process.env);
  return options === "help" ? null : makeShellFolder(nodeStoreFs, options.dataDir);
}

if (isPackaged()) nameCommand();
// Evaluation waits for both: what they set up must be there before Electron is ready.
if (startMode(own) === "headless") {
  doWithoutDisplay(process.env);
  await findProfile().then(keepProfile, () => undefined);
  await runHeadless(own, process.env);
} else
  await open().catch((error: unknown) =>
    endStart(error, { json, dataDir: null, link: null, retry: () => startAgain(1) }),
  );
