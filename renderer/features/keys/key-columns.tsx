import { useMemo } from "react";
import type { KeyView } from "../../../gateway/contract/key.ts";
import type { Column } from "../../components/table/column.ts";
import { Moment } from "../../components/ui/figures.tsx";
import { formatMoment } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { KeyLimits, KeyName, KeySpend, KeyState, formatLimitsInWords, spendInWords } from "./key-cells.tsx";
import { KeyMenu } from "./key-menu.tsx";
import type { UsedInPeriod } from "./use-key-periods.ts";

type OnKey = (key: KeyView) => void;

export interface KeyColumns {
  /** Stable while what keys used is the same; so are the others. */
  readonly used: UsedInPeriod;
  readonly onEdit: OnKey;
  readonly onLimit: OnKey;
  readonly onRevoke: OnKey;
}

/** The columns of the keys table. */
export function useKeyColumns({ used, onEdit, onLimit, onRevoke }: KeyColumns): readonly Column<KeyView>[] {
  const { t, language } = useSpeech();
  return useMemo(() => {
    const exact = (at: number | null): string => (at === null ? t.time.never : formatMoment(at, language));
    return [
      {
        id: "name",
        label: t.keys.name,
        track: "minmax(96px, 1.8fr)",
        essential: true,
        cell: (row) => <KeyName row={row} />,
        text: (row) => row.name,
      },
      {
        id: "key",
        label: t.keys.key,
        track: "112px",
        from: 700,
        cell: (row) => <code className="font-mono text-meta text-muted">{row.hint}</code>,
        text: (row) => row.hint,
      },
      {
        id: "state",
        label: t.keys.state,
        track: "92px",
        from: 460,
        cell: (row) => <KeyState row={row} />,
        text: (row) => t.keys.states[row.state],
      },
      {
        id: "spend",
        label: t.keys.spend,
        // Wide enough for a limit with its badges.
        track: "minmax(clamp(160px, 25.5%, 252px), 2fr)",
        essential: true,
        cell: (row) => <KeySpend row={row} used={used(row)} />,
        text: (row) => spendInWords(row, t),
      },
      {
        id: "limits",
        label: t.keys.limits,
        track: "minmax(96px, 1.2fr)",
        from: 880,
        cell: (row) => <KeyLimits row={row} />,
        text: (row) => formatLimitsInWords(row, t),
      },
      {
        id: "expires",
        label: t.keys.expires,
        track: "96px",
        from: 980,
        cell: (row) => <Moment at={row.expires_at} />,
        text: (row) => exact(row.expires_at),
      },
      {
        id: "used",
        label: t.keys.used,
        track: "96px",
        from: 600,
        cell: (row) => <Moment at={row.last_used_at} />,
        text: (row) => exact(row.last_used_at),
      },
      {
        id: "menu",
        label: t.app.more,
        track: "28px",
        bare: true,
        essential: true,
        cell: (row) => <KeyMenu row={row} onEdit={onEdit} onLimit={onLimit} onRevoke={onRevoke} />,
        text: () => "",
      },
    ];
  }, [t, language, used, onEdit, onLimit, onRevoke]);
}
