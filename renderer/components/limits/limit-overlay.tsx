import type { ReactNode } from "react";
import { useBudgets } from "../../api/budget-queries.ts";
import { useKeys } from "../../api/queries.ts";
import type { LimitTarget } from "../frame/overlays.ts";
import { LimitDialog } from "./limit-dialog.tsx";
import { BudgetDialog } from "./budget-dialog.tsx";
import { emptyBudget } from "./budget-draft.ts";

export interface LimitOverlayProps {
  readonly open: boolean;
  readonly target: LimitTarget | null;
  readonly onClose: () => void;
}

/** Sets the limit of a menu's target, prefilled; an existing limit's amount is changed. */
export function LimitOverlay({ open, target, onClose }: LimitOverlayProps): ReactNode {
  return target?.kind === "key" ? (
    <KeyLimit id={target.name} open={open} onClose={onClose} />
  ) : (
    <ScopeLimit target={open ? target : null} onClose={onClose} />
  );
}

function KeyLimit({ id, open, onClose }: Pick<LimitOverlayProps, "open" | "onClose"> & { readonly id: string }) {
  const { data: keys = [] } = useKeys();
  return <LimitDialog open={open} keys={keys.filter((key) => key.id === id)} first={id} onClose={onClose} />;
}

function ScopeLimit({ target, onClose }: Pick<LimitOverlayProps, "target" | "onClose">) {
  const { data: budgets } = useBudgets();
  if (target === null || target.kind === "key" || budgets === undefined) return null;
  const { kind, name } = target;
  const before = budgets.find(({ scope }) => scope.kind === kind && scope.name === name);
  return <BudgetDialog edited={before ?? { ...emptyBudget, kind, name }} onClose={onClose} />;
}
