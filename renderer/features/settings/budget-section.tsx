import type { ReactNode } from "react";
import { endDay } from "../../../gateway/contract/pace.ts";
import type { Settings } from "../../../gateway/contract/settings.ts";
import { useGatewayState } from "../../api/queries.ts";
import { SandboxMoney, UnpricedBadge } from "../../components/ui/figures.tsx";
import { QuotaMeter } from "../../components/ui/meter.tsx";
import { formatMoney, getPercent } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { BudgetsPanel } from "./budgets-panel.tsx";
import { Group, SettingFields } from "./setting.tsx";

export function BudgetSection({ settings }: { readonly settings: Settings }): ReactNode {
  return (
    <>
      <MonthlyBudget settings={settings} />
      <BudgetsPanel />
    </>
  );
}

function MonthlyBudget({ settings }: { readonly settings: Settings }): ReactNode {
  const t = useMessages();
  const { data: state } = useGatewayState();
  const spent = state?.month.nano ?? 0;
  const budget = state?.monthly_budget_nano ?? null;
  const endsAt = state?.monthly_budget_ends_at ?? null;
  const text = budget === null ? formatMoney(spent) : t.settings.spentOf(formatMoney(spent), formatMoney(budget));
  return (
    <Group title={t.settings.budget} help={t.settings.budgetHelp}>
      <SettingFields group="budget" settings={settings} />
      {state !== undefined && (
        <div className="max-w-80">
          <p className="numeric mb-1.5 flex justify-between gap-3">
            <span className="text-muted">{t.settings.spentThisMonth}</span>
            <span className="flex flex-wrap justify-end gap-x-2">
              <UnpricedBadge requests={state.month.unpriced_requests} when={t.keys.inPeriod.monthly} />
              {state.month.sandbox_nano > 0 && <SandboxMoney nano={state.month.sandbox_nano} />}
              {text}
            </span>
          </p>
          {budget !== null && (
            <QuotaMeter
              label={t.settings.spentThisMonth}
              text={text}
              spent={budget === 0 ? 100 : getPercent(spent, budget)}
              reserved={0}
            />
          )}
          {endsAt !== null && (
            <p className="mt-1.5 text-meta text-warning-text">{t.budgets.monthEndsOn(endDay(endsAt))}</p>
          )}
        </div>
      )}
      <p className="text-meta text-faint">
        {t.settings.keyLimits} <a href={routeHash("keys")}>{t.pages.keys}</a>
      </p>
    </Group>
  );
}
