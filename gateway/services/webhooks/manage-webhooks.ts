import type { WebhooksView } from "../../contract/tasks.ts";
import type { DeliverWebhooks } from "./deliver-webhooks.ts";
import type { WebhookSecret } from "./webhook-secret.ts";

/** What the pages and the command do with webhooks. Each answers with how things stand then. */
export class ManageWebhooks {
  readonly #deliver: DeliverWebhooks;
  readonly #secrets: WebhookSecret;

  constructor(deliver: DeliverWebhooks, secrets: WebhookSecret) {
    this.#deliver = deliver;
    this.#secrets = secrets;
  }

  webhooks(): Promise<WebhooksView> {
    return this.#deliver.view();
  }

  /** @throws GatewayError conflict when the environment says which secret it is */
  async rotateWebhookSecret(): Promise<WebhooksView> {
    await this.#secrets.rotate();
    return this.#deliver.view();
  }

  /** Of one that is enabled already, nothing is changed. */
  async enableReceiver({ url }: { readonly url: string }): Promise<WebhooksView> {
    await this.#deliver.enable(url);
    return this.#deliver.view();
  }
}
