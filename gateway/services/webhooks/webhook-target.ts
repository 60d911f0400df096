import { GatewayError } from "../../core/errors.ts";
import type { Reach } from "../../upstream/reach.ts";
import { WebhookRefused, webhookTarget } from "../../upstream/webhook-target.ts";

/**
 * Looks at a `webhook_url` when a task is submitted. Names are not looked up here: each delivery does that when it
 * connects.
 * @throws GatewayError invalid_value
 */
export function checkWebhookUrl(url: string, reach: Reach): void {
  try {
    webhookTarget(url, reach);
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error;
    throw new GatewayError("invalid_value", `webhook_url ${error.message}.`, { param: "webhook_url", cause: error });
  }
}

/** Which receiver a URL belongs to: webhooks to one of them wait for each other. */
export function receiverOf(url: string): string {
  return URL.parse(url)?.origin ?? url;
}
