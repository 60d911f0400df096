import type { Change } from "../../store/document.ts";
import type { Connection } from "../connections/connection.ts";

type StoredDiscovery = Extract<Change, { readonly in: "discoveries" }>;

/**
 * Returns the stored form of what a connection's server reported.
 * @returns no change if it has not reported its models yet: then nothing else of it is stored
 */
export function keepDiscovery({ id, checkedAt, discovered, learned }: Connection): readonly StoredDiscovery[] {
  if (discovered === null || checkedAt === null) return [];
  const record = { id, at: checkedAt, models: discovered, ...(learned.length === 0 ? {} : { learned }) };
  return [{ op: "put", in: "discoveries", record }];
}
