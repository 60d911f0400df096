import type { Change } from "../../store/document.ts";
import type { Connection } from "../connections/connection.ts";

type StoredDiscovery = Extract<Change, { readonly in: "discoveries" }>;

/**
 * Returns the stored form of what a connection's server reported.
 * @returns no change if it has not reported its models yet: then nothing else of it is stored
 */
export function keepDiscovery({
  id,
  checkedAt,
  discovered,
  learned,
  credentials,
}: Connection): readonly StoredDiscovery[] {
  if (discovered === null || checkedAt === null) return [];
  const credit = credentials.flatMap(({ hint, credit: reading }) => {
    if (reading === null || reading.read_at === null) return [];
    const { balances, used_up, read_at } = reading;
    return [{ hint, balances, used_up, read_at }];
  });
  const record = {
    id,
    at: checkedAt,
    models: discovered,
    ...(learned.length === 0 ? {} : { learned }),
    ...(credit.length === 0 ? {} : { credit }),
  };
  return [{ op: "put", in: "discoveries", record }];
}
