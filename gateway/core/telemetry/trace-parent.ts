/** A client's trace context for its call. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const LONGEST = 512;

/**
 * Reads the header `traceparent`; null if it names no trace (https://www.w3.org/TR/trace-context/#traceparent-header, read
 * on 2026-11-24). Later versions may add fields after those of version 00; `ff` is no version.
 */
export function readTraceParent(header: string): TraceParent | null {
  const [, version, traceId = "", spanId = "", more] = (header.length <= LONGEST && FORM.exec(header)) || [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return null;
  return isZero(traceId) || isZero(spanId) ? null : { traceId, spanId };
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}
