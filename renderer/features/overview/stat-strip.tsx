import type { ReactNode } from "react";
import type { State } from "../../../gateway/contract/control.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { useGateway } from "../../api/gateway.tsx";
import { stateInWords } from "../../components/frame/status-foot.tsx";
import { Dot } from "../../components/ui/badge.tsx";
import { Count, Estimated, Money, SandboxMoney, useAge } from "../../components/ui/figures.tsx";
import { QuotaMeter } from "../../components/ui/meter.tsx";
import { StatCell } from "../../components/ui/stat-cell.tsx";
import { formatMoment, formatMoney, percentOf } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { WeekCell } from "./week-cell.tsx";

/** The state of the gateway and the day's figures, in one row of cells. */
export function StatStrip({ state }: { readonly state: State }): ReactNode {
  const t = useMessages();
  const { today } = state;
  return (
    <dl className="panel grid grid-cols-2 gap-px overflow-hidden bg-line wide:grid-cols-3 min-[1080px]:grid-cols-5">
      <RunningCell state={state} />
      <StatCell label={t.overview.spendToday} figure={<Money nano={today.nano} />} note={<Besides totals={today} />} />
      <MonthCell state={state} />
      <StatCell
        label={t.overview.requestsToday}
        figure={<Count value={today.requests} />}
        note={
          <>
            <span className={today.errors > 0 ? "text-danger-text" : ""}>
              {today.errors === 0 ? t.overview.noErrors : t.overview.errors(today.errors)}
            </span>
            {today.cancelled_requests > 0 && <span>{t.overview.cancelled(today.cancelled_requests)}</span>}
            {today.sandbox_requests > 0 && (
              <span className="striped">{t.overview.sandboxRequests(today.sandbox_requests)}</span>
            )}
          </>
        }
      />
      <WeekCell />
    </dl>
  );
}

/** The state stands at the sidebar's foot too; here it says since when, and narrow windows have no foot. */
function RunningCell({ state }: { readonly state: State }): ReactNode {
  const { t, language } = useSpeech();
  const ageOf = useAge();
  const { connected } = useGateway();
  const [tone, words] = stateInWords(state, connected, t);
  // A cell has room for two short words; the port stands in the address below.
  const short = { running: t.overview.running, stopping: t.overview.stopping, storage: t.overview.storage };
  const word = connected === false || state.status === "paused" ? words : short[state.status];
  return (
    <StatCell
      label={t.overview.state}
      figure={
        <>
          <Dot tone={tone} />
          <span className="truncate">{word}</span>
        </>
      }
      note={
        <>
          <span title={`${formatMoment(state.started_at, language)} · ${t.overview.version(state.version)}`}>
            {t.overview.since(ageOf(state.started_at))}
          </span>
          <span className="wide:hidden">{t.status.inFlight(state.in_flight)}</span>
        </>
      }
    />
  );
}

/** What is not in the sum, or is in it by an estimate: calls without a price, usage that nobody told, the sandbox's money. */
function Besides({ totals }: { readonly totals: Totals }): ReactNode {
  const t = useMessages();
  return (
    <>
      {totals.unpriced_requests > 0 && (
        <span className="text-warning-text italic" title={t.money.unpricedHelp}>
          {t.money.plusUnpriced(totals.unpriced_requests)}
        </span>
      )}
      <Estimated totals={totals} />
      {totals.sandbox_nano > 0 && (
        <span className="flex items-center gap-1">
          <SandboxMoney nano={totals.sandbox_nano} /> <span aria-hidden>{t.money.sandbox}</span>
        </span>
      )}
    </>
  );
}

function MonthCell({ state }: { readonly state: State }): ReactNode {
  const t = useMessages();
  const { month, monthly_budget_nano: budget } = state;
  const figure = <Money nano={month.nano} />;
  if (budget === null) {
    return <StatCell label={t.overview.spendMonth} figure={figure} note={<BudgetLink text={t.overview.setBudget} />} />;
  }
  const words = t.overview.ofBudget(formatMoney(budget));
  const left = budget - month.nano;
  return (
    <StatCell
      label={t.overview.spendMonth}
      figure={figure}
      note={
        <span className="block w-full">
          <span className="mb-1 flex flex-wrap gap-x-2">
            <span className={left < 0 ? "text-danger-text" : ""} title={words}>
              {left < 0 ? t.overview.overBudget(formatMoney(-left)) : t.overview.left(formatMoney(left))}
            </span>
            <BudgetLink text={t.overview.changeBudget} />
          </span>
          <QuotaMeter
            label={t.overview.spendMonth}
            text={`${formatMoney(month.nano)} ${words}`}
            spent={percentOf(month.nano, budget)}
            held={0}
          />
        </span>
      }
    />
  );
}

/** To where the budget is set. */
function BudgetLink({ text }: { readonly text: string }): ReactNode {
  return <a href={routeHash("settings", { section: "budget" })}>{text}</a>;
}
