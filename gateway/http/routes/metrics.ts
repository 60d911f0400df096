import { EXPOSITION_TYPE } from "../../core/telemetry/exposition.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Telemetry } from "../../services/telemetry/telemetry.ts";
import { METRICS_PATH } from "../area.ts";
import { getBearer } from "../middleware/authenticate.ts";
import type { WrongKeys } from "../middleware/wrong-keys.ts";
import { requireReading } from "../method-not-allowed.ts";
import type { Context, Next } from "../state.ts";

/**
 * `GET /metrics` for Prometheus, with its own key: no local key works here, and this key works nowhere else. Without a
 * key the path does not exist.
 */
export function createMetricsRoute(telemetry: Telemetry, wrongKeys: WrongKeys) {
  return function serveMetrics(context: Context, next: Next): Promise<void> | void {
    if (context.path !== METRICS_PATH) return next();
    if (!telemetry.scrapable) {
      throw new GatewayError(
        "unknown_url",
        "There is no /metrics without a key of its own. Make one in Settings, Telemetry, or with `postern telemetry key`.",
      );
    }
    requireReading(context);
    const { socket, headers } = context.req;
    if (wrongKeys.any) wrongKeys.check(socket);
    const given = getBearer(headers.authorization);
    if (given === null || !telemetry.opens(given)) {
      if (given !== null) wrongKeys.note(socket, given);
      throw new GatewayError(
        "invalid_api_key",
        "/metrics opens with its own key alone, sent as: Authorization: Bearer tok-metrics-… Make it in Settings, Telemetry.",
      );
    }
    context.set("cache-control", "no-store");
    context.set("content-type", EXPOSITION_TYPE);
    context.body = telemetry.scrape();
  };
}
