import { KeyedMutex } from "../lib/mutex.ts";
import type { Change, CollectionName, Collections, Document } from "./document.ts";

/** Collections with a rule over all their records (names that differ, how many there may be): one change at a time. */
const TOGETHER = [
  "connections",
  "webhook_secrets",
  "receivers",
  "aliases",
  "prices",
  "routes",
  "budgets",
  "applied_setups",
] as const;
type Together = (typeof TOGETHER)[number];

/** The target that a change locks: one record, or the whole collection if its records depend on each other. */
export type RecordRef =
  | { readonly in: Together }
  | { readonly in: Exclude<CollectionName, Together>; readonly id: string };

/** Writes changes to the disk and the document atomically. @throws StoreWriteError */
export type Commit = (changes: readonly Change[]) => Promise<void>;

/**
 * The only way to change records: each change is based on the newest record, and the next change of the same record
 * starts after it is on the disk and in the document. So stale reads cannot overwrite acknowledged changes.
 */
export class RecordChanges {
  readonly #document: Document;
  readonly #commit: Commit;
  readonly #mutex = new KeyedMutex();

  constructor(document: Document, commit: Commit) {
    this.#document = document;
    this.#commit = commit;
  }

  /** See `Store.change`. */
  change<C extends CollectionName, R extends Collections[C] | null | undefined>(
    collection: C,
    id: string,
    make: (newest: Collections[C] | undefined) => R,
  ): Promise<R> {
    return this.#runExclusive([getLockName(collection, id)], async (commit) => {
      const newest = (this.#document[collection] as ReadonlyMap<string, Collections[C]>).get(id);
      const next = make(newest);
      if (next === null && newest !== undefined) await commit([{ op: "delete", in: collection, id }]);
      else if (next != null && next !== newest)
        await commit([{ op: "put", in: collection, record: next } as unknown as Change]);
      return next;
    });
  }

  /** See `Store.transact`. */
  transact<T>(records: readonly RecordRef[], work: (commit: Commit) => Promise<T>): Promise<T> {
    return this.#runExclusive(
      records.map((ref) => getLockName(ref.in, "id" in ref ? ref.id : "")),
      work,
    );
  }

  /** See `Store.waitUntilSettled`. */
  waitUntilSettled(collection: CollectionName): Promise<void> {
    return this.#mutex.waitUntilFree((lockName) => lockName.startsWith(getLockName(collection, "")));
  }

  #runExclusive<T>(mutex: readonly string[], work: (commit: Commit) => Promise<T>): Promise<T> {
    return this.#mutex.run(mutex, async () => {
      let over = false;
      const commit = async (changes: readonly Change[]): Promise<void> => {
        const others = changes.filter((change) => !mutex.includes(getLockName(change.in, getId(change))));
        if (over || others.length > 0) throw new Error("a record was to be changed out of its turn");
        await this.#commit(changes);
      };
      try {
        return await work(commit);
      } finally {
        over = true;
      }
    });
  }
}

const getId = (change: Change): string => (change.op === "put" ? change.record.id : change.id);

function getLockName(collection: CollectionName, id: string): string {
  return (TOGETHER as readonly CollectionName[]).includes(collection) ? collection : `${collection}/${id}`;
}
