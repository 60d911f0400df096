/**
 * Whether parsed JSON is nested deeper than `limit` objects and arrays (`{"a":[1]}` is two deep). It descends no
 * further, so no input can exhaust the stack; `JSON.parse` has no depth limit, but `JSON.stringify` and schema checks
 * do. Call it before anything else walks the value.
 */
export function exceedsDepth(value: unknown, limit: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (limit <= 0) return true;
  if (Array.isArray(value)) return value.some((item) => exceedsDepth(item, limit - 1));
  const record = value as Record<string, unknown>;
  for (const name in record) if (exceedsDepth(record[name], limit - 1)) return true;
  return false;
}
