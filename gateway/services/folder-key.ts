import { randomBytes } from "node:crypto";
import { GatewayError } from "../core/errors.ts";
import type { Store } from "../store/store.ts";
import { NOTHING_STORED } from "./settings.ts";

const KEY_BYTES = 32;

/** Data encrypted with each key, for the error when the key cannot be opened. */
const SUBJECTS = {
  /** The browser encrypts them: another page at the same address, while Postern is stopped, cannot read them. */
  playground_secret: "Conversations of the playground",
  webhook_url_secret: "Webhook URLs",
} as const;

/** A key that the data folder keeps among its secrets, made with its first use. */
export class FolderKey {
  readonly #store: Pick<Store, "document" | "secrets" | "change">;
  readonly #name: keyof typeof SUBJECTS;
  #making: Promise<string> | null = null;

  constructor(store: Pick<Store, "document" | "secrets" | "change">, name: keyof typeof SUBJECTS) {
    this.#store = store;
    this.#name = name;
  }

  /**
   * @returns 32 bytes as base64, the same for as long as the data folder lives
   * @throws GatewayError conflict if the secrets cannot be decrypted
   */
  async read(): Promise<string> {
    const id = this.#store.document.settings.get("settings")?.[this.#name];
    if (id == null) return (this.#making ??= this.#make().finally(() => (this.#making = null)));
    const key = this.#store.secrets.get(id);
    if (key !== undefined) return key;
    throw new GatewayError(
      "conflict",
      `${SUBJECTS[this.#name]} cannot be opened on this start, as the provider keys cannot. Unlock the keychain and restart Postern.`,
    );
  }

  async #make(): Promise<string> {
    const key = randomBytes(KEY_BYTES).toString("base64");
    const id = await this.#store.secrets.add(key);
    await this.#store.change("settings", "settings", (newest) => ({
      ...(newest ?? NOTHING_STORED),
      [this.#name]: id,
    }));
    return key;
  }
}
