import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { State } from "../../../gateway/contract/control.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { Money } from "../../components/ui/figures.tsx";
import { QuotaMeter } from "../../components/ui/meter.tsx";
import { StatCell } from "../../components/ui/stat-cell.tsx";
import { formatMoney, getPercent } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { useNow } from "../../lib/now.ts";
import { routeHash } from "../../lib/router.ts";
import { endDay, monthAtThisPace } from "../../../gateway/contract/pace.ts";

/** The first day that cost something is the same all month. */
const DAYS_EVERY_MS = 600_000;

/** Cost and budget of the month, and the projected cost at this pace. */
export function MonthCell({ state }: { readonly state: State }): ReactNode {
  const t = useMessages();
  const { month, monthly_budget_nano: budget } = state;
  const ahead = usePace(month.nano);
  const endsAt = state.monthly_budget_ends_at;
  const pace = ahead !== null && (
    <>
      <span
        className={budget !== null && ahead > budget ? "text-warning-text" : ""}
        title={t.overview.paceHelp(formatMoney(ahead))}
      >
        {t.overview.pace(formatMoney(ahead))}
      </span>
      {endsAt !== null && (
        <span className="text-warning-text" title={t.budgets.monthEndsOn(endDay(endsAt))}>
          {t.budgets.endsOn(endDay(endsAt))}
        </span>
      )}
    </>
  );
  return (
    <StatCell
      label={t.overview.spendMonth}
      className="max-[1079px]:col-span-2"
      figure={
        <a href={routeHash("usage", { range: "30d" })} className="truncate text-text no-underline hover:underline">
          <Money nano={month.nano} />
        </a>
      }
      note={
        budget === null ? (
          <>
            {pace}
            <BudgetLink text={t.overview.setBudget} />
          </>
        ) : (
          <Budget spent={month.nano} budget={budget}>
            {pace}
          </Budget>
        )
      }
    />
  );
}

interface BudgetProps {
  /** 10⁻⁹ USD, both. */
  readonly spent: number;
  readonly budget: number;
  readonly children: ReactNode;
}

function Budget({ spent, budget, children }: BudgetProps): ReactNode {
  const t = useMessages();
  const left = budget - spent;
  const words = t.overview.ofBudget(formatMoney(budget));
  return (
    <span className="block w-full">
      <span className="mb-1 flex flex-wrap gap-x-2">
        <span className={left < 0 ? "text-danger-text" : ""} title={words}>
          {left < 0 ? t.overview.overBudget(formatMoney(-left)) : t.overview.left(formatMoney(left))}
        </span>
        {children}
        <BudgetLink text={t.overview.changeBudget} />
      </span>
      <QuotaMeter
        label={t.overview.spendMonth}
        text={`${formatMoney(spent)} ${words}`}
        spent={getPercent(spent, budget)}
        reserved={0}
      />
    </span>
  );
}

/** Projected nano USD at the end of the month; null while too little is known. */
function usePace(spent: number): number | null {
  const { client } = useGateway();
  const now = useNow();
  const { data: days } = useQuery({
    queryKey: [queryNames.monthDays],
    queryFn: async () => (await client.call("usage", { by: "day" })).data,
    staleTime: DAYS_EVERY_MS,
    refetchInterval: DAYS_EVERY_MS,
  });
  if (days === undefined) return null;
  return monthAtThisPace(
    spent,
    days.map(({ group, totals }) => ({ day: group, nano: totals.nano })),
    now,
  );
}

/** Link to the budget's settings. */
function BudgetLink({ text }: { readonly text: string }): ReactNode {
  return <a href={routeHash("settings", { section: "budget" })}>{text}</a>;
}
