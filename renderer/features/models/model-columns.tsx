import { useMemo } from "react";
import type { ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import type { AcrossCells, Column } from "../../components/table/column.ts";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { Count, nothing } from "../../components/ui/figures.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { Abilities, GroupHeading, ModelId, ModelPrice } from "./model-cells.tsx";
import { getAbilities, listInputs } from "./model-filter.ts";
import { isGroup, type GroupRow, type ModelRow } from "./model-groups.ts";
import { ModelMenu } from "./model-menu.tsx";
import { shortPrice } from "./price-words.ts";

export interface ColumnActions {
  /** Whether the list is sorted and ungrouped: rows then show their provider. */
  readonly flat: boolean;
  readonly onSetPrice: (model: ModelView) => void;
  readonly onAlias: (model: ModelView) => void;
}

/** Columns of the models table. The functions must be stable. */
export function useModelColumns({ flat, onSetPrice, onAlias }: ColumnActions): readonly Column<ModelRow>[] {
  const t = useMessages();
  return useMemo(() => {
    const model = (
      head: Omit<Column<ModelRow>, "cell" | "text">,
      cell: (model: ModelView) => ReactNode,
      text: (model: ModelView) => string,
    ): Column<ModelRow> => ({
      ...head,
      cell: (row) => (isGroup(row) ? null : cell(row)),
      text: (row) => (isGroup(row) ? "" : text(row)),
    });
    return [
      {
        id: "id",
        label: t.models.id,
        track: "minmax(104px, 2.2fr)",
        essential: true,
        sortable: true,
        cell: (row) => (isGroup(row) ? null : <ModelId model={row} flat={flat} />),
        text: (row) => (isGroup(row) ? row.group : row.id),
      },
      model(
        { id: "copy", label: t.app.copy, track: "28px", bare: true, from: 560 },
        ({ id }) => <CopyIcon text={id} label={t.models.copyId(id)} />,
        () => "",
      ),
      model(
        { id: "can", label: t.models.capabilities, track: "112px", from: 460 },
        (row) => <Abilities model={row} />,
        (row) =>
          [
            ...getAbilities(row).map((ability) => t.models.abilities[ability]),
            ...listInputs(row, true).map((take) => t.models.takesNames[take]),
          ].join(", "),
      ),
      model(
        { id: "context", label: t.models.context, track: "72px", end: true, from: 620, sortable: true },
        ({ context_length: tokens }) => (tokens === null ? nothing : <Count value={tokens} />),
        ({ context_length: tokens }) => (tokens === null ? "" : String(tokens)),
      ),
      model(
        { id: "price", label: t.models.price, track: "minmax(min(156px, 24%), 1fr)", essential: true, sortable: true },
        (row) => <ModelPrice model={row} onSetPrice={onSetPrice} />,
        ({ price }) => (price === null ? t.money.unpriced : shortPrice(price, t)),
      ),
      model(
        { id: "connections", label: t.models.connections, track: "minmax(80px, 0.6fr)", from: 820 },
        ({ connections }) => <Quiet text={connections.join(", ")} />,
        ({ connections }) => connections.join(", "),
      ),
      model(
        { id: "alias", label: t.models.alias, track: "minmax(72px, 0.6fr)", from: 720 },
        ({ aliases }) => <Quiet text={aliases.join(", ")} mono />,
        ({ aliases }) => aliases.join(", "),
      ),
      model(
        { id: "menu", label: t.app.more, track: "28px", bare: true, essential: true },
        (row) => <ModelMenu model={row} onSetPrice={onSetPrice} onAlias={onAlias} />,
        () => "",
      ),
    ];
  }, [t, flat, onSetPrice, onAlias]);
}

/**
 * Group heading, which replaces all cells except the menu.
 * @param onToggle stable; null while a filter expands all groups
 */
export function useGroupHeadings(onToggle: ((row: GroupRow) => void) | null): AcrossCells<ModelRow> {
  return useMemo(
    () => ({
      columns: new Set(["id", "copy", "can", "context", "price", "connections", "alias"]),
      cell: (row) => (isGroup(row) ? <GroupHeading row={row} onToggle={onToggle} /> : null),
    }),
    [onToggle],
  );
}

function Quiet({ text, mono = false }: { readonly text: string; readonly mono?: boolean }): ReactNode {
  if (text === "") return nothing;
  return (
    <span className={mono ? "font-mono text-meta" : "text-muted"} title={text}>
      {text}
    </span>
  );
}
