import type { ControlClient } from "../client.ts";
import type { CreatedKey, KeyView } from "../../../gateway/contract/key.ts";

export const KEY_NAME = "Playground";
const DAY_MS = 86_400_000;
/** Between the clocks of the page and of the gateway, and while the request is under way. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * Keys that earlier page loads created and whose secrets are lost. The name alone is no proof, because a user may have
 * given it to a key of an app. These keys expire a day after creation, which the key form does not offer, and they must
 * have no running request, because another window may be using one.
 */
export function leftovers(keys: readonly KeyView[]): readonly KeyView[] {
  return keys.filter(
    ({ name, origin, in_flight, created_at, expires_at }) =>
      name === KEY_NAME &&
      origin === "created" &&
      in_flight === 0 &&
      expires_at !== null &&
      Math.abs(expires_at - created_at - DAY_MS) <= TOLERANCE_MS,
  );
}

/**
 * Local key of the playground. It is created at the first call, appears under this name wherever cost is shown by key,
 * and its secret is only in this page's memory. A new page load creates another key and deletes earlier ones, so that
 * keys do not accumulate; their spend stays in usage under their ids. A window whose key was deleted by another creates
 * a new one at its next call (see call-v1.ts).
 */
export class PlaygroundKey {
  readonly #client: ControlClient;
  readonly #now: () => number;
  #made: Promise<CreatedKey> | null = null;

  constructor(client: ControlClient, now: () => number = Date.now) {
    this.#client = client;
    this.#now = now;
  }

  /** @throws ControlError, UnreachableError: it could not be made; the next call tries again */
  get(): Promise<CreatedKey> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = null;
      throw error;
    });
    return this.#made;
  }

  /** Called when the gateway no longer knows this key. */
  async forget(secret: string): Promise<void> {
    if ((await this.#made)?.secret === secret) this.#made = null;
  }

  async #make(): Promise<CreatedKey> {
    const created = await this.#client.call("createKey", { name: KEY_NAME, expires_at: this.#now() + DAY_MS });
    void this.#tidy(created.key.id);
    return created;
  }

  /** Runs after the new key exists, so that a failure leaves an extra key rather than none. */
  async #tidy(ownId: string): Promise<void> {
    try {
      const { data } = await this.#client.call("listKeys");
      for (const { id } of leftovers(data)) if (id !== ownId) await this.#client.call("revokeKey", {}, id);
    } catch {
      // The next page load tidies up.
    }
  }
}

const keys = new WeakMap<ControlClient, PlaygroundKey>();

/** Returns the key of a session of the pages. */
export function playgroundKey(client: ControlClient): PlaygroundKey {
  const known = keys.get(client) ?? new PlaygroundKey(client);
  keys.set(client, known);
  return known;
}
