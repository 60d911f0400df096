import { hasDuration, hasFailed } from "../../contract/ending.ts";
import { figuresOf } from "../../contract/request-figures.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { SessionSums } from "../../core/sessions/session-sums.ts";
import type { SessionFigures } from "../../core/sessions/session-sums.ts";
import { countedModel } from "../../core/usage/usage-sums.ts";
import { within } from "../../lib/within.ts";
import type { PassedReceipt, Scanned, SessionLog } from "../store.ts";

/** A log of some hundred thousand receipts is read by then. */
const WAIT_MS = 1_000;

/** Goes over the log from its newest receipt back. */
type Scan = (visit: (receipt: PassedReceipt) => void) => Promise<Scanned>;

/**
 * Sums by session, in memory only: those of before are read back when somebody asks for the first time, and from then on
 * each receipt is counted as it is settled. Before that, receipts cost nothing here.
 */
export class UsageSessions {
  #sums: SessionSums | null = null;
  #reading: Promise<void> | null = null;
  #read = false;
  #complete = false;

  count(receipt: Receipt): void {
    if (this.#sums === null || receipt.session === undefined) return;
    this.#sums.count(figuresOfReceipt(receipt, receipt.session));
  }

  /**
   * @param n number of the last receipt: later ones are counted as they come
   * @throws what the disk says; the next one who asks has it read anew
   */
  async read(n: number, scan: Scan): Promise<SessionLog> {
    this.#reading ??= this.#readBack(n, scan);
    await within(this.#reading, WAIT_MS);
    const sums = this.#sums ?? new SessionSums();
    return { sums, reading: !this.#read, complete: this.#complete };
  }

  async #readBack(n: number, scan: Scan): Promise<void> {
    const sums = (this.#sums = new SessionSums());
    try {
      const { complete } = await scan((passed) => {
        const session = passed.text("session");
        if (session !== "" && passed.n <= n && passed.isWhole()) sums.countEarlier(figuresOfPassed(passed, session));
      });
      sums.sort();
      this.#complete = complete;
      this.#read = true;
    } catch (error) {
      this.#sums = this.#reading = null;
      throw error;
    }
  }
}

function figuresOfReceipt(receipt: Receipt, session: string): SessionFigures {
  const { at, ms, nano, sandbox, client, project = "", agent = "", terms } = receipt;
  const model = countedModel(receipt);
  const { tokens, output_tokens } = figuresOf(receipt);
  let cached_tokens = 0;
  for (const { unit, quantity } of terms) {
    if (unit === "cached_input" || unit === "cached_audio_input") cached_tokens += quantity;
  }
  const [failed, measured] = [hasFailed(receipt), hasDuration(receipt)];
  const counted = { tokens, output_tokens, cached_tokens };
  return { session, project, agent, client, model, at, ms, nano, sandbox, failed, measured, ...counted };
}

function figuresOfPassed(passed: PassedReceipt, session: string): SessionFigures {
  const { at, ms, nano, sandbox, status, tokens, output_tokens, cached_tokens } = passed;
  const ending = { outcome: passed.text("outcome"), code: passed.text("code") || null, status };
  return {
    session,
    project: passed.text("project"),
    agent: passed.text("agent"),
    client: passed.text("client"),
    model: passed.text("provider") === "" ? "" : passed.text("model"),
    at,
    ms,
    nano,
    sandbox,
    failed: hasFailed(ending),
    measured: hasDuration(ending),
    tokens,
    output_tokens,
    cached_tokens,
  };
}
