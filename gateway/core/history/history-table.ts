import type { HistoryAgent } from "../../contract/history.ts";
import { sortInSlices } from "../../lib/slices.ts";
import type { Slices } from "../../lib/slices.ts";
import { UsageNames } from "../usage/usage-columns.ts";
import { HISTORY_UNITS } from "./history-entry.ts";
import type { HistoryEntry } from "./history-entry.ts";

const AGENTS: readonly HistoryAgent[] = ["claude-code", "codex"];
const WIDTH = HISTORY_UNITS.length;
/** Bytes of a moment, the tokens, four names and three flags. */
const ROW_BYTES = 8 + 8 * WIDTH + 4 * 4 + 3;
/** Entries between two looks at the time. */
const STRETCH = 8_192;

/** The counted history by time, each field in one array: years of it are looked through in milliseconds. */
export class HistoryTable {
  readonly length: number;
  readonly names = new UsageNames();
  /** Unix milliseconds, ascending. */
  readonly at: Float64Array;
  /** Numbers of names. */
  readonly model: Uint32Array;
  readonly session: Uint32Array;
  readonly project: Uint32Array;
  readonly served: Uint32Array;
  readonly sidechain: Uint8Array;
  readonly postern: Uint8Array;
  readonly #agent: Uint8Array;
  /** Tokens of each entry, in the order of HISTORY_UNITS. */
  readonly tokens: Float64Array;

  /** All of these arrays, one after another. */
  readonly bytes: Uint8Array<ArrayBuffer>;

  private constructor(length: number, buffer = new ArrayBuffer(length * ROW_BYTES)) {
    this.length = length;
    this.bytes = new Uint8Array(buffer);
    // The widest first: an array begins where its figures may lie.
    this.at = new Float64Array(buffer, 0, length);
    let end = this.at.byteLength;
    this.tokens = new Float64Array(buffer, end, length * WIDTH);
    end += this.tokens.byteLength;
    const numbers = (): Uint32Array<ArrayBuffer> => {
      const array = new Uint32Array(buffer, end, length);
      end += array.byteLength;
      return array;
    };
    [this.model, this.session, this.project, this.served] = [numbers(), numbers(), numbers(), numbers()];
    const flags = (): Uint8Array<ArrayBuffer> => {
      const array = new Uint8Array(buffer, end, length);
      end += array.byteLength;
      return array;
    };
    [this.sidechain, this.postern, this.#agent] = [flags(), flags(), flags()];
  }

  /** Restores a stored table. @param bytes as `bytes` were @param names in the order of their numbers */
  static from(bytes: ArrayBuffer, names: readonly string[]): HistoryTable {
    const table = new HistoryTable(bytes.byteLength / ROW_BYTES, bytes);
    for (const name of names) table.names.number(name);
    return table;
  }

  static async of(entries: readonly HistoryEntry[], slices: Slices): Promise<HistoryTable> {
    const table = new HistoryTable(entries.length);
    const sorted = await sortInSlices(entries, ({ at }) => at, slices);
    for (const [row, entry] of sorted.entries()) {
      table.#put(row, entry);
      if (row % STRETCH === 0 && slices.over) await slices.pause();
    }
    return table;
  }

  agent(row: number): HistoryAgent {
    return AGENTS[this.#agent[row] as number] as HistoryAgent;
  }

  /** The first row at or after a moment. */
  from(moment: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.at[middle] as number) < moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #put(row: number, { agent, at, model, session, project, served, sidechain, postern, tokens }: HistoryEntry): void {
    this.at[row] = at;
    this.model[row] = this.names.number(model);
    this.session[row] = this.names.number(session);
    this.project[row] = this.names.number(project);
    this.served[row] = this.names.number(served);
    this.sidechain[row] = Number(sidechain);
    this.postern[row] = Number(postern);
    this.#agent[row] = AGENTS.indexOf(agent);
    this.tokens.set(tokens, row * WIDTH);
  }
}
