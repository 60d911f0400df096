import type { EmbeddingPart } from "../../core/embeddings/embedding-parts.ts";
import type { Units } from "../../core/models/model.ts";
import { priceUnits } from "../../core/money/price.ts";
import { ClientGone } from "../calls/attempts.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { Candidate } from "../models/model-index.ts";
import { countedTokens } from "./counted-tokens.ts";

/** What a part brought. */
export interface DonePart {
  /** Who answered. */
  readonly candidate: Candidate;
  /** Input tokens. */
  readonly tokens: number;
  /** Whether they were counted here. */
  readonly estimated: boolean;
  /** Its items of `data` as JSON, with commas between them. */
  readonly items: Buffer;
}

/** What has become of the parts of one call: the source of its charge, however it ends. */
export class PartsLedger {
  readonly #done = new Map<EmbeddingPart, DonePart>();
  /** Sent and not answered when the call was ended. */
  readonly #cut: EmbeddingPart[] = [];

  /** Runs a part and writes down how it ended. */
  async follow(part: EmbeddingPart, run: () => Promise<DonePart>): Promise<void> {
    try {
      this.#done.set(part, await run());
    } catch (error) {
      if (error instanceof ClientGone && error.sent) this.#cut.push(part);
      throw error;
    }
  }

  get anyDone(): boolean {
    return this.#done.size > 0;
  }

  get anySent(): boolean {
    return this.anyDone || this.#cut.length > 0;
  }

  /** The answered parts in the order of their inputs. */
  inOrder(): readonly DonePart[] {
    return [...this.#done].toSorted(([a], [b]) => a.offset - b.offset).map(([, done]) => done);
  }

  /** What the answered parts cost. */
  done(): { readonly units: Units; readonly estimated: boolean } {
    const parts = [...this.#done.values()];
    return {
      units: { input: parts.reduce((sum, { tokens }) => sum + tokens, 0) },
      estimated: parts.some(({ estimated }) => estimated),
    };
  }

  /** What every part cost that was sent: of those without an answer, as counted here. */
  sent(): Units {
    const cut = this.#cut.reduce((sum, part) => sum + countedTokens(part.inputs), 0);
    return { input: (this.done().units.input ?? 0) + cut };
  }

  /**
   * Names the vendor of the receipt, which has one: who answered. Where fail-over spread the parts over vendors with
   * different prices, the dearest of them: a key's limit must hold whoever answered.
   */
  chargeTo(record: CallRecord): void {
    const answered = [...this.#done.values()].map(({ candidate }) => candidate);
    const dearest = answered.reduce<Candidate | undefined>(
      (most, candidate) => (most === undefined || rateAt(candidate) > rateAt(most) ? candidate : most),
      undefined,
    );
    if (dearest !== undefined) record.begun(dearest);
  }
}

/** Nano USD for a million tokens. Unpriced comes last: an unpriced receipt would charge nothing for the priced parts. */
function rateAt({ price }: Candidate): number {
  return price === null ? -1 : (priceUnits({ input: 1_000_000 }, price).nano ?? -1);
}
