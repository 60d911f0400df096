import type { ReactNode } from "react";
import type { State } from "../../../gateway/contract/control.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { useGateway } from "../../api/gateway.tsx";
import { Dot, type Tone } from "../../components/ui/badge.tsx";
import { Count, Money, SandboxMoney, useAge } from "../../components/ui/figures.tsx";
import { QuotaMeter } from "../../components/ui/meter.tsx";
import { formatCompact, formatMoney, formatMoment, percentOf } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";

/** The state of the gateway and the day's figures, in one row of cells. */
export function StatStrip({ state }: { readonly state: State }): ReactNode {
  const t = useMessages();
  const { today } = state;
  return (
    <dl className="panel grid grid-cols-2 gap-px overflow-hidden bg-line wide:grid-cols-3 min-[1080px]:grid-cols-5">
      <RunningCell state={state} />
      <Cell label={t.overview.spendToday} figure={<Money nano={today.nano} />} note={<Besides totals={today} />} />
      <MonthCell state={state} />
      <Cell
        label={t.overview.requestsToday}
        figure={<Count value={today.requests} />}
        note={
          <>
            <span className={today.errors > 0 ? "text-danger-text" : ""}>
              {today.errors === 0 ? t.overview.noErrors : t.overview.errors(today.errors)}
            </span>
            {today.sandbox_requests > 0 && (
              <span className="striped">{t.overview.sandboxRequests(today.sandbox_requests)}</span>
            )}
          </>
        }
      />
      <Cell
        label={t.overview.tokensToday}
        figure={<Count value={today.input_tokens + today.output_tokens} />}
        note={
          <>
            <span>{t.overview.tokensIn(formatCompact(today.input_tokens))}</span>
            <span>{t.overview.tokensOut(formatCompact(today.output_tokens))}</span>
          </>
        }
        className="max-wide:col-span-2 min-[720px]:max-[1079px]:col-span-2"
      />
    </dl>
  );
}

interface CellProps {
  readonly label: string;
  readonly figure: ReactNode;
  readonly note: ReactNode;
  readonly className?: string;
}

function Cell({ label, figure, note, className }: CellProps): ReactNode {
  return (
    <div className={`min-w-0 bg-surface px-3.5 py-2.5 ${className ?? ""}`}>
      <dt className="truncate text-meta text-faint">{label}</dt>
      <dd>
        <div className="numeric mt-0.5 flex h-7 items-center gap-2 truncate text-title font-semibold tracking-[-0.01em]">
          {figure}
        </div>
        <div className="numeric flex min-h-4 flex-wrap items-center gap-x-2 gap-y-0.5 text-meta text-muted">{note}</div>
      </dd>
    </div>
  );
}

function RunningCell({ state }: { readonly state: State }): ReactNode {
  const { t, language } = useSpeech();
  const ageOf = useAge();
  const { connected } = useGateway();
  const [tone, word]: [Tone, string] =
    connected === false
      ? ["warning", t.status.disconnected]
      : state.status === "running"
        ? ["success", t.overview.running]
        : state.status === "stopping"
          ? ["warning", t.overview.stopping]
          : ["danger", t.overview.storage];
  return (
    <Cell
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
          <span>{t.status.inFlight(state.in_flight)}</span>
        </>
      }
    />
  );
}

/** What is not in the sum: calls without a price, and the sandbox's own money. */
function Besides({ totals }: { readonly totals: Totals }): ReactNode {
  const t = useMessages();
  return (
    <>
      {totals.unpriced_requests > 0 && (
        <span className="text-warning-text italic" title={t.money.unpricedHelp}>
          {t.money.plusUnpriced(totals.unpriced_requests)}
        </span>
      )}
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
  if (budget === null) {
    return (
      <Cell
        label={t.overview.spendMonth}
        figure={<Money nano={month.nano} />}
        note={<span>{t.overview.noBudget}</span>}
      />
    );
  }
  const words = t.overview.ofBudget(formatMoney(budget));
  return (
    <Cell
      label={t.overview.spendMonth}
      figure={<Money nano={month.nano} />}
      note={
        <span className="block w-full">
          <span className="mb-1 block">{words}</span>
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
