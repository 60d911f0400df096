import type { Change } from "../../store/document.ts";
import type { Connection } from "../connections/connection.ts";

type Kept = Extract<Change, { readonly in: "discoveries" }>;

/**
 * What is known of a connection's server by asking it, as it is stored.
 * @returns no change where it has not said yet what it serves: then nothing else is kept of it either
 */
export function keepDiscovery({ id, checkedAt, discovered, learned }: Connection): readonly Kept[] {
  if (discovered === null || checkedAt === null) return [];
  const record = { id, at: checkedAt, models: discovered, ...(learned.length === 0 ? {} : { learned }) };
  return [{ op: "put", in: "discoveries", record }];
}
