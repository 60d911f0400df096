import { randomBytes } from "node:crypto";
import { GatewayError } from "../core/errors.ts";
import type { Store } from "../store/store.ts";
import { NOTHING_STORED } from "./settings.ts";

const KEY_BYTES = 32;

/**
 * The key that encrypts the playground's conversations in the browser: another program that serves a page at the same
 * address while Postern is stopped cannot read them.
 */
export class PlaygroundKey {
  readonly #store: Store;
  #making: Promise<string> | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * @returns 32 bytes as base64, the same for as long as the data folder lives
   * @throws GatewayError conflict where the secrets cannot be opened on this start
   */
  async read(): Promise<string> {
    const id = this.#store.document.settings.get("settings")?.playground_secret;
    if (id == null) return (this.#making ??= this.#make().finally(() => (this.#making = null)));
    const key = this.#store.secrets.get(id);
    if (key !== undefined) return key;
    throw new GatewayError(
      "conflict",
      "Conversations of the playground cannot be opened on this start, as the provider keys cannot. Unlock the keychain and restart Postern.",
    );
  }

  async #make(): Promise<string> {
    const key = randomBytes(KEY_BYTES).toString("base64");
    const id = await this.#store.secrets.add(key);
    await this.#store.change("settings", "settings", (newest) => ({
      ...(newest ?? NOTHING_STORED),
      playground_secret: id,
    }));
    return key;
  }
}
