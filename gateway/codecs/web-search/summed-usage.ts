import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

/** Sums the usage of several rounds. @param before usage of the earlier rounds; null for none */
export function sumUsage(before: Document | null, usage: unknown): Document | null {
  if (!isRecord(usage)) return before;
  if (before === null) return usage;
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]) => {
      const other = before[name];
      if (typeof value === "number" && typeof other === "number") return [name, value + other];
      return [name, isRecord(value) && isRecord(other) ? sumUsage(other, value) : value];
    }),
  );
}
