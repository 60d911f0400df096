import type { Later } from "../../lib/later.ts";
import type { ToolCall } from "../tool/tool.ts";

/**
 * Bytes are saved in a moment; what lies at a provider's address is fetched, and tried again for as long as the address
 * may live. Clients of the protocol give up on a call after 60 s, and the provider had its share of them.
 */
const TIMEOUT_MS = 30_000;

/**
 * Ids of what a call made, once all of it is saved.
 * @returns null when that takes too long, or nobody waits any more; the library goes on by itself
 */
export function keptInTime(
  { later }: { readonly later: Later },
  { kept, client }: Pick<ToolCall, "kept" | "client">,
): Promise<readonly (string | null)[] | null> {
  return new Promise((resolve, reject) => {
    const cancel = later(TIMEOUT_MS, () => end(null));
    const end = (ids: readonly (string | null)[] | null): void => {
      cancel();
      client.onCancelled(null);
      resolve(ids);
    };
    client.onCancelled(() => end(null));
    kept().then(end, reject);
  });
}
