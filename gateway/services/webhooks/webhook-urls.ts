import { GatewayError } from "../../core/errors.ts";
import { decryptUrl, encryptUrl, isEncryptedUrl } from "../../core/webhooks/webhook-url.ts";
import type { FolderKey } from "../folder-key.ts";

/** Converts webhook URLs to and from their stored form. */
export class WebhookUrls {
  readonly #key: Pick<FolderKey, "read">;

  constructor(key: Pick<FolderKey, "read">) {
    this.#key = key;
  }

  /** @throws GatewayError conflict if the secrets cannot be decrypted */
  async encrypt(url: string): Promise<string> {
    return url.includes("?") ? encryptUrl(url, await this.#read()) : url;
  }

  /** @throws GatewayError conflict if the URL cannot be decrypted */
  async decrypt(stored: string): Promise<string> {
    if (!isEncryptedUrl(stored)) return stored;
    const url = decryptUrl(stored, await this.#read());
    if (url !== null) return url;
    throw new GatewayError("conflict", "The webhook URL cannot be decrypted: submit the task again with its URL.");
  }

  async #read(): Promise<Buffer> {
    return Buffer.from(await this.#key.read(), "base64");
  }
}
