import { findApp } from "../../../gateway/contract/apps.ts";
import { AppGlyph } from "../../components/glyph.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis, List, Pencil, Plus, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { BudgetView } from "../../../gateway/contract/budgets.ts";
import { useBudgets } from "../../api/budget-queries.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { EndsNote } from "../../components/ends-note.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../components/ui/menu.tsx";
import { QuotaMeter } from "../../components/ui/meter.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { formatMinute, formatMoney, formatMoneyExact, formatUsd, getPercent } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { navigate } from "../../lib/router.ts";
import { emptyBudget } from "../../components/limits/budget-draft.ts";
import { BudgetDialog, type EditedBudget } from "../../components/limits/budget-dialog.tsx";
import { Group } from "./setting.tsx";

const NANO_PER_USD = 1_000_000_000;

/** Budgets of apps and projects: what is spent and left of each, made, changed and removed. */
export function BudgetsPanel(): ReactNode {
  const t = useMessages();
  const { data: budgets, error, refetch } = useBudgets();
  const [edited, edit] = useState<EditedBudget>(null);
  return (
    <Group
      title={t.budgets.title}
      help={t.budgets.help}
      actions={
        <Button icon={<Plus size={14} aria-hidden />} onClick={() => edit(emptyBudget)}>
          {t.budgets.add}
        </Button>
      }
    >
      {budgets !== undefined ? (
        <BudgetList budgets={budgets} onEdit={edit} />
      ) : error === null ? (
        <SkeletonRows rows={2} />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
      <BudgetDialog edited={edited} onClose={() => edit(null)} />
    </Group>
  );
}

interface BudgetListProps {
  readonly budgets: readonly BudgetView[];
  readonly onEdit: (budget: BudgetView) => void;
}

function BudgetList({ budgets, onEdit }: BudgetListProps): ReactNode {
  const t = useMessages();
  if (budgets.length === 0) return <p className="text-muted">{t.budgets.none}</p>;
  return (
    <ul aria-label={t.budgets.title} className="-my-2">
      {budgets.map((budget) => (
        <li
          key={`${budget.reset} ${budget.scope.kind} ${budget.scope.name}`}
          className="flex items-center gap-3 border-b border-line/60 py-2 last:border-transparent"
        >
          <div className="flex min-w-0 grow flex-wrap items-center gap-x-4 gap-y-1">
            <div className="min-w-0 grow basis-44">
              <p className="flex items-center gap-2">
                {findApp(budget.scope.name) !== undefined && budget.scope.kind === "client" && (
                  <AppGlyph id={budget.scope.name} />
                )}
                <span className="truncate" title={budget.scope.name}>
                  {budget.scope.name}
                </span>
                <Badge>{t.budgets.kinds[budget.scope.kind]}</Badge>
              </p>
              {!budget.seen && <p className="text-meta text-warning-text">{t.budgets.unseen[budget.scope.kind]}</p>}
            </div>
            <BudgetFigures budget={budget} />
          </div>
          <BudgetMenu budget={budget} onEdit={onEdit} />
        </li>
      ))}
    </ul>
  );
}

/** Spent, held and remaining amounts, and when it is used up. */
function BudgetFigures({ budget }: { readonly budget: BudgetView }): ReactNode {
  const { t, language } = useSpeech();
  const { spent_nano: spent, held_nano: reserved, left_nano: left, limit_usd: limit, reset } = budget;
  const nano = limit * NANO_PER_USD;
  const words = t.budgets.spent(formatMoney(spent), formatUsd(limit), t.keys.per[reset]);
  const holds = reserved > 0 ? ` · ${t.budgets.held(formatMoney(reserved))}` : "";
  return (
    <div className="min-w-0 basis-80" title={`${formatMoneyExact(spent)}${holds}`}>
      <p className="numeric mb-1 flex flex-wrap justify-between gap-x-3 text-meta">
        <span>{words}</span>
        <span className="flex flex-wrap justify-end gap-x-2 text-muted">
          <EndsNote period={reset} at={budget.ends_at} />
          {left + reserved === 0 ? (
            <span className="text-danger-text">{t.budgets.isSpent(formatMinute(budget.resets_at, language))}</span>
          ) : (
            t.budgets.left(formatMoney(left))
          )}
        </span>
      </p>
      <QuotaMeter
        label={`${t.budgets.kinds[budget.scope.kind]} ${budget.scope.name}`}
        text={`${words}${holds}`}
        spent={limit === 0 ? 100 : getPercent(spent, nano)}
        reserved={getPercent(reserved, nano)}
      />
    </div>
  );
}

function BudgetMenu({
  budget,
  onEdit,
}: {
  readonly budget: BudgetView;
  readonly onEdit: (budget: BudgetView) => void;
}): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const { scope, reset, limit_usd } = budget;
  const renew = (): Promise<void> => cache.invalidateQueries({ queryKey: [queryNames.budgets] });
  const remove = async (): Promise<void> => {
    await client.call("removeBudget", { scope, reset });
    await renew();
    notify.undoable(t.budgets.removed(scope.name), () => {
      client.call("setBudget", { scope, reset, limit_usd }).then(renew, notify.showError);
    });
  };
  return (
    <Menu
      trigger={
        <IconButton label={t.app.actions(`${scope.name}, ${t.budgets.resets[reset]}`)}>
          <Ellipsis size={15} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => onEdit(budget)}>
        {t.budgets.edit}
      </MenuItem>
      {!/[*?]/.test(scope.name) && (
        <MenuItem
          icon={<List size={14} aria-hidden />}
          onSelect={() => navigate("requests", { [scope.kind]: scope.name })}
        >
          {t.budgets.requests}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Trash2 size={14} aria-hidden />} danger onSelect={() => void remove().catch(notify.showError)}>
        {t.budgets.remove}
      </MenuItem>
    </Menu>
  );
}
