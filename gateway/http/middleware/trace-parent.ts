import type { Telemetry } from "../../services/telemetry/telemetry.ts";
import type { Check } from "../state.ts";

/** Notes which span of its client a call belongs to, where spans are sent to anybody. */
export function noteTraceParent(telemetry: Pick<Telemetry, "tracing" | "noteParent">): Check {
  return function noteParent({ req, state }): void {
    if (!telemetry.tracing) return;
    const { traceparent } = req.headers;
    if (typeof traceparent === "string") telemetry.noteParent(state.requestId, traceparent);
  };
}
