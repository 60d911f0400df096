import type { Receipt } from "../../../gateway/contract/receipt.ts";

/** Failures with the same code, or outcome without a code. */
export interface FailureGroup {
  readonly newest: Receipt;
  readonly count: number;
}

/** Failures by their code, those with the newest first. Sandbox failures count as well: an app saw them. */
export function failuresByCode(receipts: readonly Receipt[]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const receipt of receipts.toSorted((a, b) => b.at - a.at)) {
    const name = receipt.code ?? receipt.outcome;
    const { newest, count } = groups.get(name) ?? { newest: receipt, count: 0 };
    groups.set(name, { newest, count: count + 1 });
  }
  return [...groups.values()];
}

/** Builds the address of the requests of a group, without a time range. */
export function failureAddress({ newest: { code, outcome } }: FailureGroup): Readonly<Record<string, string>> {
  return code === null ? { outcome } : { q: code };
}
