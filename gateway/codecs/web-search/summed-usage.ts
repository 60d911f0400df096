import { isRecord } from "../../lib/records.ts";
import type { Document } from "../translation.ts";

/** The figures of several turns as one: each is paid for. @param before of the turns before; null for none */
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
