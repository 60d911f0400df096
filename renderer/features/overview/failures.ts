import type { Outcome, Receipt } from "../../../gateway/contract/receipt.ts";

/** Failures that say the same. */
export interface FailureGroup {
  /** Postern's error code; null if only the outcome is known. */
  readonly code: string | null;
  /** Outcome of the newest. */
  readonly outcome: Outcome;
  readonly status: number;
  readonly count: number;
  /** When the newest settled, Unix ms. */
  readonly at: number;
  /** Id of the newest. */
  readonly id: string;
}

/** Failures by their code, those with the newest first. Sandbox failures count as well: an app saw them. */
export function failuresByCode(receipts: readonly Receipt[]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const { id, at, code, outcome, status } of receipts.toSorted((a, b) => b.at - a.at)) {
    const name = code ?? outcome;
    const group = groups.get(name) ?? { code, outcome, status, count: 0, at, id };
    groups.set(name, { ...group, count: group.count + 1 });
  }
  return [...groups.values()];
}

/** The address of the requests of a group, without its time. */
export function failureAddress({ code, outcome }: FailureGroup): Readonly<Record<string, string>> {
  return code === null ? { outcome } : { q: code };
}
