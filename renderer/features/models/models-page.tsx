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
import { navigate, replaceParams, useRoute } from "../../lib/router.ts";
import { useStored } from "../../lib/stored.ts";
import { AliasDialog } from "./alias-dialog.tsx";
import { useModelColumns } from "./model-columns.tsx";
import { ModelDialog } from "./model-dialog.tsx";
import { filterModels, filterParams, hasFilter } from "./model-filter.ts";
import { ModelFilters } from "./model-filters.tsx";
import {
  closedGroups,
  groupedRows,
  isGroup,
  rowKey,
  storedGroups,
  type GroupRow,
  type ModelRow,
} from "./model-groups.ts";
import { PriceDialog } from "./price-dialog.tsx";

const NO_FILTER: Readonly<Record<string, null>> = Object.fromEntries(filterParams.map((name) => [name, null]));
const ALL_OPEN: ReadonlySet<string> = new Set();

/** All models that can be reached, by who answers; `model` in the address opens one. */
export function ModelsPage(): ReactNode {
  const t = useMessages();
  const { data: models, error, refetch } = useModels();
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
    </>
  );
}

/** A dialog beside the detail; both name the model, which is looked up anew when the list is renewed. */
interface Asked {
  readonly what: "alias" | "price";
  readonly id: string;
}

function ModelsTable({ models }: { readonly models: readonly ModelView[] }): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const [stored, store] = useStored("models.closed");
  const [asked, ask] = useState<Asked | null>(null);
  const filtered = hasFilter(params);

  const closed = useMemo(() => closedGroups(stored), [stored]);
  const found = useMemo(() => filterModels(models, params), [models, params]);
  const rows = useMemo(() => groupedRows(found, filtered ? ALL_OPEN : closed), [found, filtered, closed]);

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
  const columns = useModelColumns({ onToggle: filtered ? null : onToggle, onSetPrice, onAlias });

  const open = (row: ModelRow): void => {
    if (!isGroup(row)) replaceParams({ model: row.id });
    else if (!filtered) onToggle(row);
  };
  const modelOf = (name: string | null): ModelView | null => {
    if (name === null) return null;
    // Links may hold a provider's own spelling.
    return models.find(({ id }) => id === name) ?? models.find((model) => model.other_names.includes(name)) ?? null;
  };

  return (
    <>
      <div className="border-b border-line">
        <div className="flex min-h-10 items-center gap-1 px-1.5 py-1">
          <SearchBox q={params.get("q") ?? ""} label={t.models.search} />
          <output className="numeric px-1 text-meta whitespace-nowrap text-faint">
            {t.models.count(formatCount(found.length))}
          </output>
          <TableMenu table="models" label={t.pages.models} columns={columns} rows={found} />
        </div>
        <ModelFilters models={models} params={params} />
      </div>
      {found.length === 0 ? (
        <Empty
          title={t.table.noMatch}
          help=""
          action={<Button onClick={() => replaceParams(NO_FILTER)}>{t.table.clearFilter}</Button>}
        />
      ) : (
        <DataTable id="models" label={t.pages.models} columns={columns} rows={rows} rowKey={rowKey} onOpen={open} />
      )}
      <ModelDialog
        model={modelOf(params.get("model"))}
        onClose={() => replaceParams({ model: null })}
        onSetPrice={onSetPrice}
        onAlias={onAlias}
      />
      <PriceDialog model={asked?.what === "price" ? modelOf(asked.id) : null} onClose={() => ask(null)} />
      <AliasDialog model={asked?.what === "alias" ? modelOf(asked.id) : null} onClose={() => ask(null)} />
    </>
  );
}
