import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { getHealth, type HealthState } from "../../components/connection-health.ts";
import type { Tone } from "../../components/ui/badge.tsx";

export interface ModelHealth {
  readonly state: HealthState;
  readonly tone: Tone;
}

const ORDER: readonly Tone[] = ["success", "warning", "neutral", "danger"];

/**
 * Returns the health of a model: that of its best connection. Null if unknown: it is not served, or only by the
 * sandbox.
 */
export function getHealthOfModel(
  model: Pick<ModelView, "id" | "connections" | "sandbox">,
  connections: readonly ConnectionView[],
): ModelHealth | null {
  if (model.sandbox) return null;
  const found = connections
    .filter(({ name }) => model.connections.includes(name))
    .map((connection) => judgeHealth(model.id, connection));
  return found.toSorted((a, b) => ORDER.indexOf(a.tone) - ORDER.indexOf(b.tone))[0] ?? null;
}

/** Keys and models of a connection that are in trouble are so for themselves. */
function judgeHealth(model: string, connection: ConnectionView): ModelHealth {
  const { state, tone } = getHealth(connection);
  const ready = connection.credentials.filter((each) => each.state === "ready");
  if (state !== "degraded" || ready.length === 0) return { state, tone };
  const inTrouble = ready.every(({ models }) => models.some((each) => each.model === model));
  return inTrouble ? { state, tone } : { state: "healthy", tone: "success" };
}
