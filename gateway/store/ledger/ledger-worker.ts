import { parentPort, workerData } from "node:worker_threads";
import { getMessage } from "../../lib/message-of.ts";
import { LedgerIndex } from "./ledger-index.ts";
import type { LedgerIndexParts } from "./ledger-index.ts";
import type { FromLedger, ToLedger } from "./ledger.ts";

/** The thread that `ledger.ts` starts: responds to questions, and reads the logs meanwhile. */
const index = new LedgerIndex({
  ...(workerData as Pick<LedgerIndexParts, "dir" | "readOnly">),
  log: (event) => send({ event }),
  report: (damage) => send({ damage }),
});

function send(message: FromLedger): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage(message);
}

async function respond({ id, name, question }: ToLedger): Promise<void> {
  try {
    send({ id, ...(await index.ask(name, question)) });
  } catch (error) {
    send({ id, error: getMessage(error) });
  }
}

parentPort?.on("message", (message: ToLedger) => void respond(message));
