import { Layers } from "lucide-react";
import { useCallback, useMemo, useState, type ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { useModels } from "../../api/queries.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { SearchBox } from "../../components/ui/search-box.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { navigate, replaceParams, useRoute } from "../../lib/router.ts";
import { useStored } from "../../lib/stored.ts";
import { AliasDialog } from "./alias-dialog.tsx";
import { useGroupHeadings, useModelColumns } from "./model-columns.tsx";
import { ModelDialog } from "./model-dialog.tsx";
import { asksPrice, filterModels, filterParams, hasFilter } from "./model-filter.ts";
import { ModelFilters } from "./model-filters.tsx";
import {
  closedGroups,
  countModels,
  groupedRows,
  isGroup,
  formatRowKey,
  storedGroups,
  type GroupRow,
  type ModelRow,
} from "./model-groups.ts";
import { findNextSorting, getSorting, sortModels } from "./model-sort.ts";
import { PriceDialog } from "./price-dialog.tsx";
import { unlistedModel, getUnpriced } from "./price-rows.ts";
import { UnpricedDialog } from "./unpriced-dialog.tsx";

const NO_FILTER: Readonly<Record<string, null>> = Object.fromEntries(filterParams.map((name) => [name, null]));
const ALL_OPEN: ReadonlySet<string> = new Set();

/** All models that can be reached, by who answers; `model` in the address opens one. */
export function ModelsPage(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const { data: models, error, refetch } = useModels();
  const priced = models !== undefined && asksPrice(params) ? (params.get("model") ?? "") : null;
  return (
    <>
      <PageHeader title={t.pages.models} />
      <section className="panel">
        {models === undefined ? (
          error === null ? (
            <SkeletonRows rows={8} />
          ) : (
            <Failure error={error} onRetry={() => void refetch()} />
          )
        ) : models.length === 0 ? (
          <Empty
            icon={<Layers size={24} aria-hidden />}
            title={t.models.empty}
            help={t.models.emptyHelp}
            action={<Button onClick={() => navigate("connections")}>{t.models.connect}</Button>}
          />
        ) : (
          <ModelsTable models={models} />
        )}
      </section>
      <PriceDialog
        model={models === undefined || priced === null ? null : (getModel(models, priced) ?? unlistedModel(priced))}
        onClose={() => replaceParams({ model: null, price: null })}
      />
    </>
  );
}

/** Links may hold a provider's own spelling. */
function getModel(models: readonly ModelView[], name: string | null): ModelView | null {
  if (name === null) return null;
  return models.find(({ id }) => id === name) ?? models.find((model) => model.other_names.includes(name)) ?? null;
}

/** A dialog next to the detail; both name the model, which is looked up again when the list is renewed. */
interface OpenDialog {
  readonly what: "alias" | "price";
  readonly id: string;
}

function ModelsTable({ models }: { readonly models: readonly ModelView[] }): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const [stored, store] = useStored("models.closed");
  const [opened, ask] = useState<OpenDialog | null>(null);
  const filtered = hasFilter(params);

  const closed = useMemo(() => closedGroups(stored), [stored]);
  const found = useMemo(() => filterModels(models, params), [models, params]);
  const sorted = getSorting(params);
  const q = params.get("q") ?? "";
  const unpriced = useMemo(() => getUnpriced(filterModels(models, new URLSearchParams({ q }))), [models, q]);
  const [by, order] = [sorted?.by, sorted?.order];
  const rows = useMemo(
    (): readonly ModelRow[] =>
      by === undefined || order === undefined
        ? groupedRows(found, filtered ? ALL_OPEN : closed)
        : sortModels(found, { by, order }),
    [found, filtered, closed, by, order],
  );

  const onToggle = useCallback(
    ({ key }: GroupRow) => {
      const next = new Set(closed);
      if (!next.delete(key)) next.add(key);
      store(storedGroups(next));
    },
    [closed, store],
  );
  const onSetPrice = useCallback(({ id }: ModelView) => ask({ what: "price", id }), []);
  const onAlias = useCallback(({ id }: ModelView) => ask({ what: "alias", id }), []);
  const columns = useModelColumns({ flat: sorted !== null, onSetPrice, onAlias });
  const across = useGroupHeadings(filtered ? null : onToggle);
  const open = (row: ModelRow): void => {
    if (!isGroup(row)) replaceParams({ model: row.id });
    else if (!filtered) onToggle(row);
  };
  return (
    <>
      <div className="border-b border-line">
        <div className="flex min-h-10 items-center gap-1 px-1.5 py-1">
          <SearchBox q={params.get("q") ?? ""} label={t.models.search} />
          <output className="numeric px-1 text-meta whitespace-nowrap text-faint">{countInWords(found, t)}</output>
          <TableMenu table="models" label={t.pages.models} columns={columns} rows={found} />
        </div>
        <ModelFilters models={models} params={params} unpriced={unpriced.length} />
      </div>
      {found.length === 0 ? (
        <Empty
          title={t.table.noMatch}
          help=""
          action={<Button onClick={() => replaceParams(NO_FILTER)}>{t.table.clearFilter}</Button>}
        />
      ) : (
        <DataTable
          id="models"
          label={t.pages.models}
          columns={columns}
          rows={rows}
          rowKey={formatRowKey}
          onOpen={open}
          across={across}
          sorting={{
            by: by ?? "",
            order: order ?? "asc",
            onSort: (column) => replaceParams(findNextSorting(sorted, column)),
          }}
        />
      )}
      <ModelDialog
        model={asksPrice(params) ? null : getModel(models, params.get("model"))}
        onClose={() => replaceParams({ model: null })}
        onSetPrice={onSetPrice}
        onAlias={onAlias}
      />
      <PriceDialog model={opened?.what === "price" ? getModel(models, opened.id) : null} onClose={() => ask(null)} />
      <UnpricedDialog
        open={params.get("set") === "prices" && unpriced.length > 0}
        models={unpriced}
        onClose={() => replaceParams({ set: null })}
      />
      <AliasDialog model={opened?.what === "alias" ? getModel(models, opened.id) : null} onClose={() => ask(null)} />
    </>
  );
}

/** "6 models · 40 in the sandbox · 1 not served": what can be called for real comes first. */
function countInWords(models: readonly ModelView[], t: Messages): string {
  const { real, sandbox, away } = countModels(models);
  return [
    t.models.count(formatCount(real)),
    sandbox > 0 && t.models.countSandbox(formatCount(sandbox)),
    away > 0 && t.models.countAway(formatCount(away)),
  ]
    .filter((part) => part !== false)
    .join(" · ");
}
