import type { HistoryTokens } from "./history-entry.ts";
import { computeTotal } from "./history-entry.ts";

/** Between the receipt of a response and the line in an agent's log: the agent writes it when it has read it. */
const NEAR_MS = 2 * 60_000;

/** The facts about a response that both a log and a receipt have. */
interface Used {
  /** Unix milliseconds. */
  readonly at: number;
  readonly model: string;
  /** Input and output tokens. */
  readonly tokens: number;
  readonly outputTokens: number;
}

/**
 * Postern's own receipts, used to recognize its responses in logs. Claude Code logs the request id that Postern
 * returned. Codex logs none: there a response matches if its model, exact token counts and time are the same.
 */
export class OurReceipts {
  readonly #ids = new Set<string>();
  readonly #moments = new Map<string, number[]>();

  addId(id: string): void {
    this.#ids.add(id);
  }

  addUsed(used: Used): void {
    const key = readKey(used);
    const moments = this.#moments.get(key);
    if (moments === undefined) this.#moments.set(key, [used.at]);
    else moments.push(used.at);
  }

  hasId(id: string): boolean {
    return this.#ids.has(id);
  }

  hasUsed({
    at,
    model,
    tokens,
  }: {
    readonly at: number;
    readonly model: string;
    readonly tokens: HistoryTokens;
  }): boolean {
    const outputTokens = tokens[4] + tokens[5];
    const moments = this.#moments.get(readKey({ at, model, tokens: computeTotal(tokens), outputTokens }));
    return moments?.some((moment) => Math.abs(moment - at) <= NEAR_MS) === true;
  }
}

const readKey = ({ model, tokens, outputTokens }: Used): string => `${tokens}\n${outputTokens}\n${model}`;
