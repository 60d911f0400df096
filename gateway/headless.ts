import { join } from "node:path";
import { loggedError } from "./core/logged-error.ts";
import { HELP, UsageError, readHeadlessOptions } from "./headless-options.ts";
import type { Gateway } from "./index.ts";
import { systemClock } from "./lib/clock.ts";
import { createLog } from "./lib/log.ts";
import type { Log } from "./lib/log.ts";
import { getMessage } from "./lib/message-of.ts";
import { readyLines } from "./ready-lines.ts";
import { StartError } from "./start-error.ts";
import { fileSealer } from "./store/data-key.ts";
import { RestartableGateway } from "./restartable-gateway.ts";
import { VERSION } from "./version.ts";

/**
 * The gateway without a window: `npm start -- --headless`. Standard output only has the ready line, again after each
 * restart; the log goes to standard error. Exits the process: 0 after a stop or if the folder is already served, 1 if
 * it cannot start, 2 for invalid arguments.
 * @param pagesBuilt resolves when the pages are readable
 * @param onReady receives the address of the pages after the first start
 */
export async function runHeadless(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  pagesBuilt: () => Promise<void> = () => Promise.resolve(),
  onReady: (ui: string) => void = () => undefined,
): Promise<void> {
  // A closed terminal or log reader must not end the gateway.
  process.stdout.on("error", () => {});
  process.stderr.on("error", () => {});
  const log = createLog((lines) => process.stderr.write(lines), systemClock.now);
  try {
    const options = readHeadlessOptions(argv, env);
    if (options === "help") {
      process.stdout.write(HELP);
      return;
    }
    const gateways = new RestartableGateway({
      ...options,
      env: { ...env, ...options.variables },
      sealer: fileSealer(),
      assetsDir: join(import.meta.dirname, "..", "renderer"),
      pagesBuilt,
      version: VERSION,
      clock: systemClock,
      log,
      restart: (pageToken) => void startAgain(pageToken),
    });
    const startAgain = async (pageToken: string): Promise<void> => {
      try {
        const next = await gateways.next(pageToken);
        if (next !== null) announce(next);
      } catch (error) {
        log.flush();
        end(error, options.json);
      }
    };
    const announce = ({ url, ui, firstKey }: Gateway): void => {
      const facts = { url, ui, firstKey, dataDir: options.dataDir, pid: process.pid };
      process.stdout.write(readyLines(facts, options.json));
    };
    const gateway = await gateways.first();
    // Signal handlers are installed before the ready line, because its reader may stop the process immediately.
    stopOnSignals(gateways, log);
    announce(gateway);
    onReady(gateway.ui);
  } catch (error) {
    log.flush();
    end(error, argv.includes("--json"));
  }
}

function stopOnSignals(gateway: Pick<Gateway, "close">, log: Log): void {
  const stop = (): void => {
    gateway.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error("stop.failed", { message: getMessage(error) });
        log.flush();
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  // An uncaught bug may have left a partial change in memory: the state on disk is intact, so exit and restart.
  const crash = (error: unknown): void => {
    log.error("crash", { ...loggedError(error) });
    log.flush();
    process.exit(1);
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
}

/** Says why it did not start, and ends the process. */
function end(error: unknown, json: boolean): never {
  if (error instanceof StartError && error.kind === "running") {
    process.stdout.write(
      json
        ? `${JSON.stringify({ event: "already-running", url: error.url, message: error.message })}\n`
        : `${error.message}\n`,
    );
    process.exit(0);
  }
  if (error instanceof UsageError || error instanceof StartError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
  throw error;
}
