import { useQuery } from "@tanstack/react-query";
import { Ellipsis, List } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import type { BudgetView } from "../../../gateway/contract/budgets.ts";
import type { Totals } from "../../../gateway/contract/totals.ts";
import { useBudgets } from "../../api/budget-queries.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { AppGlyph } from "../../components/glyph.tsx";
import { LimitItems } from "../../components/limits/limit-items.tsx";
import { momentColumn } from "../../components/table/column-kinds.tsx";
import type { Column } from "../../components/table/column.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { IconButton } from "../../components/ui/button.tsx";
import { Count, Money, nothing, SandboxMoney, UnpricedBadge } from "../../components/ui/figures.tsx";
import { Menu, MenuItem } from "../../components/ui/menu.tsx";
import { formatCount, formatMoney, formatUsd } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { navigate, routeHash } from "../../lib/router.ts";
import type { Messages } from "../../locales/messages.ts";

/** Rows that are shown; Usage has all. */
const MOST_APPS = 8;

/** An app that sent a request this month. */
interface SeenApp {
  readonly name: string;
  readonly totals: Totals;
  /** Time of its newest request, Unix ms; null if the log has none. */
  readonly lastAt: number | null;
  readonly budgets: readonly BudgetView[];
}

/** Apps that sent requests this month, connected by Postern or not: spend, limit and last call. */
export function SeenApps(): ReactNode {
  const t = useMessages();
  const apps = useSeenApps();
  const columns = useAppColumns();
  if (apps.length === 0) return null;
  return (
    <section className="panel mb-4" aria-labelledby="seen-apps">
      <div className="flex min-h-10 items-center gap-2 border-b border-line px-3.5 py-1">
        <h2 id="seen-apps" className="min-w-0 grow truncate font-semibold">
          {t.clients.seen.title}
        </h2>
        <a href={routeHash("usage", { by: "client" })}>{t.pages.usage}</a>
      </div>
      <DataTable
        id="seen-apps"
        label={t.clients.seen.title}
        columns={columns}
        rows={apps}
        rowKey={getName}
        onOpen={showRequests}
        dense
      />
    </section>
  );
}

const getName = ({ name }: SeenApp): string => name;
const showRequests = ({ name }: Pick<SeenApp, "name">): void => navigate("requests", { client: name });

function useSeenApps(): readonly SeenApp[] {
  const { client } = useGateway();
  const { data: budgets } = useBudgets();
  const { data: seen } = useQuery({
    queryKey: [queryNames.spenders, "apps"],
    queryFn: async () => {
      const { data } = await client.call("usage", { by: "client" });
      const named = data.filter(({ group }) => group !== "").slice(0, MOST_APPS);
      return Promise.all(
        named.map(async ({ group: name, totals }) => {
          const { data: newest } = await client.call("listRequests", { client: name, limit: 1 });
          return { name, totals, lastAt: newest[0]?.at ?? null };
        }),
      );
    },
  });
  return useMemo(
    () =>
      (seen ?? []).map((app) => ({
        ...app,
        budgets: (budgets ?? []).filter(({ scope }) => scope.kind === "client" && scope.name === app.name),
      })),
    [seen, budgets],
  );
}

function useAppColumns(): readonly Column<SeenApp>[] {
  const { t, language } = useSpeech();
  return useMemo(
    () => [
      {
        id: "app",
        label: t.requests.client,
        track: "minmax(120px, 1.4fr)",
        essential: true,
        cell: ({ name }) => (
          <span className="flex min-w-0 items-center gap-2">
            <AppGlyph id={name} />
            <span className="truncate" title={name}>
              {name}
            </span>
          </span>
        ),
        text: getName,
      },
      {
        id: "spent",
        label: t.clients.spent,
        track: "minmax(104px, 1fr)",
        end: true,
        cell: ({ totals }) => (
          <span className="numeric flex justify-end gap-x-2">
            <UnpricedBadge requests={totals.unpriced_requests} />
            {totals.sandbox_nano > 0 && <SandboxMoney nano={totals.sandbox_nano} />}
            <Money nano={totals.nano} />
          </span>
        ),
        text: ({ totals }) => formatMoney(totals.nano),
      },
      {
        id: "requests",
        label: t.pages.requests,
        track: "72px",
        end: true,
        from: 520,
        cell: ({ totals }) => <Count value={totals.requests} />,
        text: ({ totals }) => formatCount(totals.requests),
      },
      {
        id: "limit",
        label: t.clients.seen.limit,
        track: "minmax(96px, 1fr)",
        from: 640,
        cell: ({ budgets }) => (budgets.length === 0 ? nothing : formatLimits(budgets, t)),
        text: ({ budgets }) => formatLimits(budgets, t),
      },
      momentColumn(
        { id: "last", label: t.clients.seen.last, track: "104px", from: 420 },
        language,
        (row) => row.lastAt,
      ),
      {
        id: "menu",
        label: t.requestLog.rowActions,
        track: "24px",
        bare: true,
        essential: true,
        cell: ({ name }) => (
          <Menu
            trigger={
              <IconButton label={t.app.actions(name)} className="flex! h-6! w-6!">
                <Ellipsis size={15} aria-hidden />
              </IconButton>
            }
          >
            <MenuItem icon={<List size={14} aria-hidden />} onSelect={() => showRequests({ name })}>
              {t.budgets.requests}
            </MenuItem>
            <LimitItems app={name} />
          </Menu>
        ),
        text: () => "",
      },
    ],
    [t, language],
  );
}

const formatLimits = (budgets: readonly BudgetView[], t: Messages): string =>
  budgets
    .map(({ spent_nano: spent, limit_usd: limit, reset }) =>
      t.budgets.spent(formatMoney(spent), formatUsd(limit), t.keys.per[reset]),
    )
    .join(t.app.listed);
