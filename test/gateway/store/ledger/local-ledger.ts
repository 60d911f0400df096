import { nodeStoreFs, type StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { LedgerIndex } from "../../../../gateway/store/ledger/ledger-index.ts";
import type { Ledger } from "../../../../gateway/store/ledger/ledger.ts";
import type { FileDamage, ResponseTo } from "../../../../gateway/store/ledger/questions.ts";
import type { Questions } from "../../../../gateway/store/ledger/questions.ts";

type Listener = (damage: FileDamage) => Promise<void>;

/** The index in this thread: over the folder's disk, in memory where that is a simulated one. */
export class LocalLedger implements Pick<Ledger, "ask" | "onDamage" | "close"> {
  readonly #index: LedgerIndex;
  readonly #listeners = new Map<string, Listener>();
  #handled: Promise<unknown> = Promise.resolve();

  constructor(dir: string, fs: StoreFs = nodeStoreFs) {
    this.#index = new LedgerIndex({
      dir,
      fs,
      readOnly: fs !== nodeStoreFs,
      log: () => undefined,
      report: (damage) => {
        this.#handled = this.#handled.then(() => this.#listeners.get(damage.table)?.(damage));
      },
    });
  }

  async ask<N extends keyof Questions>(name: N, question: Questions[N]["ask"]): Promise<ResponseTo<N>> {
    const responded = await this.#index.ask(name, question);
    await this.#handled;
    return responded as ResponseTo<N>;
  }

  onDamage(table: string, listener: Listener): void {
    this.#listeners.set(table, listener);
  }

  close(): Promise<void> {
    this.#index.close();
    return Promise.resolve();
  }
}
