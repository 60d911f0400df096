import type { Telemetry } from "../../services/telemetry/telemetry.ts";
import type { Check } from "../state.ts";

/** Notes the client's parent span of a call, if spans are exported. */
export function noteTraceParent(telemetry: Pick<Telemetry, "tracing" | "noteParent">): Check {
  return function noteParent({ req, state }): void {
    if (!telemetry.tracing) return;
    const { traceparent } = req.headers;
    if (typeof traceparent === "string") telemetry.noteParent(state.requestId, traceparent);
  };
}
