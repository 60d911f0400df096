import { randomUUID } from "node:crypto";
import { same } from "../../core/setup/same.ts";
import { mapTexts } from "../../lib/redact.ts";
import type { Change, Collections, RecordChange, StoredSettings } from "../../store/document.ts";
import type { Secrets } from "../../store/store.ts";
import type { SetupDocument } from "./setup-of.ts";

type Changed = RecordChange["in"];

const CHANGED = [
  "connections",
  "keys",
  "routes",
  "aliases",
  "prices",
  "budgets",
  "webhook_secrets",
  "settings",
] as const;

/** A secret that is encrypted when the draft is committed. */
interface NewSecret {
  readonly value: string;
  readonly boundTo: string | undefined;
}

/** The document as it would be. Nothing of it is on the disk, and its new secrets are not encrypted yet. */
export class DocumentDraft {
  readonly document: SetupDocument;
  readonly #base: SetupDocument;
  readonly #secrets: Pick<Secrets, "get">;
  /** Keyed by their temporary ids in the draft. */
  readonly #added = new Map<string, NewSecret>();

  constructor(base: SetupDocument, secrets: Pick<Secrets, "get">) {
    this.#base = base;
    this.#secrets = secrets;
    const copies = Object.fromEntries(
      CHANGED.map((name) => [name, new Map(base[name] as ReadonlyMap<string, unknown>)]),
    );
    this.document = { ...base, ...copies };
  }

  put<C extends Changed>(collection: C, record: Collections[C]): void {
    this.#map(collection).set(record.id, record);
  }

  delete(collection: Changed, id: string): void {
    this.#map(collection).delete(id);
  }

  /** @returns the id that refers to it, with its binding, as in the store */
  addSecret(value: string, boundTo?: string): string {
    const id = `${randomUUID()}${boundTo === undefined ? "" : `.${boundTo}`}`;
    this.#added.set(id, { value, boundTo });
    return id;
  }

  /** A secret, added or stored. */
  get(id: string): string | undefined {
    return this.#added.get(id)?.value ?? this.#secrets.get(id);
  }

  /** Whether a secret was added. */
  isNew(id: string): boolean {
    return this.#added.has(id);
  }

  /** Every record that is another. */
  listChanges(): readonly RecordChange[] {
    return CHANGED.flatMap((name): RecordChange[] => {
      const before = this.#base[name] as ReadonlyMap<string, { readonly id: string }>;
      const after = this.#map(name);
      const ids = [...new Set([...before.keys(), ...after.keys()])];
      return ids.flatMap((id) => {
        const [was, is] = [before.get(id) ?? null, after.get(id) ?? null];
        return was === is || same(was, is) ? [] : [{ in: name, id, before: was, after: is } as RecordChange];
      });
    });
  }

  /**
   * Encrypts the new secrets, and puts their ids into the records.
   * @param made receives each id, so that they can be removed if the rest fails
   */
  async encrypt(
    changes: readonly RecordChange[],
    secrets: Pick<Secrets, "add">,
    made: string[],
  ): Promise<readonly RecordChange[]> {
    const named = new Set(findSecrets(changes, "after"));
    const ids = new Map<string, string>();
    for (const [id, { value, boundTo }] of this.#added) {
      if (!named.has(id)) continue;
      const real = await secrets.add(value, boundTo);
      made.push(real);
      ids.set(id, real);
    }
    if (ids.size === 0) return changes;
    return changes.map((change) => {
      const after = mapTexts(change.after, (text) => ids.get(text) ?? text) as Collections[Changed] | null;
      return { ...change, id: after?.id ?? change.id, after } as RecordChange;
    });
  }

  #map(collection: Changed): Map<string, { readonly id: string }> {
    return this.document[collection] as unknown as Map<string, { readonly id: string }>;
  }
}

/** Returns the changes that set records to their values after a change. */
export function getChanges(changes: readonly RecordChange[]): readonly Change[] {
  return changes.map((change) =>
    change.after === null
      ? { op: "delete", in: change.in, id: change.id }
      : ({ op: "put", in: change.in, record: change.after } as Change),
  );
}

/** Ids of all secrets that records name. */
export function findSecrets(changes: readonly RecordChange[], side: "before" | "after"): readonly string[] {
  return changes.flatMap((change) => secretIds(change.in, change[side]));
}

function secretIds(collection: Changed, record: RecordChange["after"]): readonly string[] {
  if (record === null) return [];
  if (collection === "webhook_secrets") return [record.id];
  const proxy = "proxy_secret" in record && record.proxy_secret != null ? [record.proxy_secret] : [];
  if ("secrets" in record)
    return [...record.secrets.map(({ id }) => id), ...(record.headers ?? []).map(({ id }) => id), ...proxy];
  if (collection !== "settings") return [];
  const { search_keys: keys, otlp_headers: headers } = record as StoredSettings;
  return [...Object.values(keys ?? {}), ...(headers == null ? [] : [headers])].map(({ id }) => id).concat(proxy);
}
