import type { ConnectionTest } from "../../contract/connection.ts";
import type { Setup } from "../../contract/setup.ts";
import { Limiter } from "../../lib/limiter.ts";
import type { RecordChange } from "../../store/document.ts";
import { runtimeConnection } from "../connections/connection-record.ts";
import type { Discovery } from "../models/discovery.ts";
import type { DocumentDraft } from "./draft.ts";

const MOST_AT_ONCE = 6;

/** A provider key that a draft adds to a connection. */
export interface NewProviderKey {
  readonly connection: string;
  readonly secret: string;
  readonly hint: string;
}

export interface TestedKey extends NewProviderKey {
  readonly test: ConnectionTest;
}

/** Tests each new provider key with one free call. Results are in the order of the keys. */
export async function testKeys(
  draft: DocumentDraft,
  changes: readonly RecordChange[],
  discovery: Pick<Discovery, "tryOut">,
): Promise<readonly TestedKey[]> {
  const limiter = new Limiter({ each: 2, all: MOST_AT_ONCE });
  const tests = changes.flatMap((change) => {
    const record = change.in === "connections" ? change.after : null;
    if (record === null) return [];
    return record.secrets
      .filter(({ id }) => draft.isNew(id))
      .map(async ({ id, hint }): Promise<TestedKey> => {
        const alone = runtimeConnection({ ...record, secrets: [{ id, hint }] }, draft, new Map());
        const test = await limiter.run(alone.origin, () => discovery.tryOut(alone));
        return { connection: record.name, secret: draft.get(id) ?? "", hint, test };
      });
  });
  return Promise.all(tests);
}

/**
 * Removes refused keys from a set-up. A new connection without remaining keys is dropped; an existing one keeps its
 * keys.
 * @param isThere whether a connection of this name exists
 */
export function withoutKeys(
  requested: Setup,
  refused: readonly NewProviderKey[],
  isThere: (name: string) => boolean,
): Setup {
  const { connections } = requested;
  if (connections === undefined || refused.length === 0) return requested;
  const left = connections.flatMap((connection) => {
    const { keys: given, ...rest } = connection;
    const keys = given?.filter(
      (key) => !refused.some(({ connection: name, secret }) => name === connection.name && secret === key),
    );
    if (keys === undefined || keys.length === given?.length) return [connection];
    if (keys.length > 0) return [{ ...rest, keys }];
    return isThere(connection.name) ? [rest] : [];
  });
  return { ...requested, connections: left };
}
