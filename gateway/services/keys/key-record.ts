import type { CreateKey, UpdateKey } from "../../contract/key.ts";
import { GatewayError } from "../../core/errors.ts";
import { newId, sha256 } from "../../lib/ids.ts";
import { nanoFromUsd } from "../../lib/money.ts";
import type { StoredKey } from "../../store/document.ts";

/** Hash of a key, and its prefix and last characters for display. */
export type KeyFaces = Pick<StoredKey, "hash" | "prefix" | "last4">;

export function getFaces(secret: string): KeyFaces {
  return { hash: sha256(secret), prefix: secret.slice(0, 5), last4: secret.slice(-4) };
}

export function newKey(input: CreateKey, origin: StoredKey["origin"], faces: KeyFaces, now: number): StoredKey {
  return { id: newId("key"), ...faces, ...getLimits(input), disabled: false, origin, created_at: now };
}

/** Returns a changed key; omitted fields keep their values. */
export function changedKey(record: StoredKey, { limit_usd, ...rest }: UpdateKey): StoredKey {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const limit = limit_usd === undefined ? {} : { limit_nano: limit_usd === null ? null : nanoFromUsd(limit_usd) };
  return { ...record, ...given, ...limit };
}

/**
 * Checks a key that Ollama requests without a key use: it has a spend limit, and is the only one.
 * @param keys all of them, this one among them or not
 * @returns the record
 * @throws GatewayError invalid_value, conflict
 */
export function checkOllamaDefault(record: StoredKey, keys: ReadonlyMap<string, StoredKey>): StoredKey {
  if (record.ollama_default !== true) return record;
  if (record.limit_nano === null)
    throw new GatewayError(
      "invalid_value",
      "A key for Ollama requests without a key needs a spend limit, because every program of this machine can use it. Set 'limit_usd'.",
      { param: "limit_usd" },
    );
  const other = [...keys.values()].find(({ id, ollama_default: is }) => is === true && id !== record.id);
  if (other === undefined) return record;
  throw new GatewayError(
    "conflict",
    `The key "${other.name}" is used for Ollama requests without a key. Switch that off there first.`,
    { param: "ollama_default" },
  );
}

/** Returns the limits of a new key; omitted ones are unlimited. */
export function getLimits(input: CreateKey) {
  return {
    name: input.name,
    models: input.models ?? null,
    limit_nano: input.limit_usd == null ? null : nanoFromUsd(input.limit_usd),
    reset: input.reset ?? "never",
    expires_at: input.expires_at ?? null,
    rpm: input.rpm ?? null,
    concurrency: input.concurrency ?? null,
    hosted_tools: input.hosted_tools ?? null,
    stored_objects: input.stored_objects ?? null,
    mask_secrets: input.mask_secrets ?? null,
    mask_words: input.mask_words ?? null,
    ollama_default: input.ollama_default ?? false,
  };
}
