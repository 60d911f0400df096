import type { SetupKey } from "../../contract/setup.ts";
import { newId, newLocalKey } from "../../lib/ids.ts";
import type { RecordChange } from "../../store/document.ts";
import { getFaces } from "../keys/key-record.ts";
import type { KeyFaces } from "../keys/key-record.ts";

/** Separator in a key's hint. */
const ELLIPSIS = "…";

/** Local keys that a set-up may add. Their ids are known before it is drafted: the transaction locks them. */
export class NewKeys {
  readonly #secrets = new Map<string, string>();
  readonly #ids = new Map<string, string>();

  constructor(keys: readonly SetupKey[] = []) {
    for (const key of keys) this.getId((this.readFaces(key) ?? this.make(key.name)).hash);
  }

  /** Returns the hash and hint that identify a key of a set-up; undefined if it has only a name. */
  readFaces({ secret, sha256, hint = "" }: SetupKey): KeyFaces | undefined {
    if (secret !== undefined) return getFaces(secret);
    if (sha256 === undefined) return undefined;
    const [prefix = "", last4 = ""] = hint.split(ELLIPSIS);
    return { hash: sha256, prefix, last4 };
  }

  /** Returns the key of this name; it is created on the first call. */
  make(name: string): KeyFaces {
    const secret = this.#secrets.get(name) ?? newLocalKey();
    this.#secrets.set(name, secret);
    return getFaces(secret);
  }

  getId(hash: string): string {
    const id = this.#ids.get(hash) ?? newId("key");
    this.#ids.set(hash, id);
    return id;
  }

  /** Ids of all keys that may be added. */
  get ids(): readonly string[] {
    return [...this.#ids.values()];
  }

  /** Returns the generated keys among records that change. */
  listNewKeys(changes: readonly RecordChange[]): readonly { readonly name: string; readonly secret: string }[] {
    const ids = new Set(changes.map(({ id }) => id));
    return [...this.#secrets]
      .filter(([, secret]) => ids.has(this.#ids.get(getFaces(secret).hash) ?? ""))
      .map(([name, secret]) => ({ name, secret }));
  }
}
