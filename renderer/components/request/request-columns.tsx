import { getAppName } from "../../../gateway/contract/apps.ts";
import { CircleSlash, TriangleAlert } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { unitClassSchema, type Receipt, type UnitClass } from "../../../gateway/contract/receipt.ts";
import { unitSides } from "../../../gateway/contract/units.ts";
import { pickFigure, getFigures } from "../../../gateway/contract/request-figures.ts";
import type { RequestFigure } from "../../../gateway/contract/list.ts";
import { useConnectionNames, type Served } from "../../api/connection-names.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { momentColumn, quietColumn } from "../table/column-kinds.tsx";
import type { Column } from "../table/column.ts";
import { Cost, costInWords, nothing } from "../ui/figures.tsx";
import { formatCompact, formatCount, formatDuration } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import type { Messages } from "../../locales/messages.ts";
import { Marked } from "./marked.tsx";
import { PassedMark, RequestedName } from "./request-route.tsx";
import { getFirstMs } from "./stages.ts";
import { SideCell, UsageCell, sideInWords, usageInWords } from "./usage-cell.tsx";

/** Response status: the number, red if it failed, with a mark if the response is incomplete. */
export function Status({ receipt }: { readonly receipt: Receipt }): ReactNode {
  const { t } = useSpeech();
  const { outcome, status, code } = receipt;
  const cut = outcome === "interrupted" || outcome === "cancelled" || outcome === "unknown" ? outcome : null;
  const Sign = outcome === "cancelled" ? CircleSlash : TriangleAlert;
  const tone =
    outcome === "cancelled"
      ? "text-muted"
      : status >= 400
        ? "text-danger-text"
        : cut !== null
          ? "text-warning-text"
          : "text-success-text";
  return (
    <span className={`numeric inline-flex items-center gap-1 ${tone}`} title={code ?? t.requests.outcomeHelp[outcome]}>
      {status}
      {cut !== null && (
        <>
          <Sign size={12} aria-hidden className="shrink-0" />
          <span className="sr-only">{t.requests.cut[cut]}</span>
        </>
      )}
    </span>
  );
}

/** A request that failed before anything could be billed: "$0.00" would not be true. */
export function isUnbilled({ terms, nano }: Receipt): boolean {
  return terms.length === 0 && nano === 0;
}

/** Column of tokens, or of the model's billing unit with its name; details on hover. */
function countColumn(
  id: "input" | "cached" | "output",
  classes: readonly UnitClass[],
  from: number,
  t: Messages,
): Column<Receipt> {
  return {
    id,
    label: t.requestLog[id],
    // Character counts of speech need more width.
    track: id === "input" ? "92px" : "56px",
    end: true,
    from,
    cell: (row) => <SideCell receipt={row} classes={classes} side={id} />,
    text: (row) => sideInWords(row, classes, t),
  };
}

/** Names for the ids in rows. */
export interface RowNames {
  readonly key: (id: string) => string;
  readonly provider: (served: Served) => string;
}

/** Returns the current names: stable until one changes. */
export function useRowNames(): RowNames {
  const key = useKeyNames();
  const provider = useConnectionNames();
  return useMemo(() => ({ key, provider }), [key, provider]);
}

/** Columns of recent requests: the request, its usage, its cost. @param names stable */
export function useRequestColumns(names: RowNames): readonly Column<Receipt>[] {
  const all = useAllColumns(names);
  return useMemo(
    () => pick(all, ["time", "model", "client", "key", "tokens", "cost", "first", "duration", "status"]),
    [all],
  );
}

const LOG = [
  "time",
  "status",
  "model",
  "provider",
  "client",
  "key",
  "input",
  "cached",
  "output",
  "total",
  "cost",
  "first",
  "speed",
  "duration",
];

/**
 * Columns of the log, with tokens by class.
 * @param names stable
 * @param q search text to highlight
 */
export function useLogColumns(names: RowNames, q: string): readonly Column<Receipt>[] {
  const all = useAllColumns(names, q);
  return useMemo(() => pick(all, LOG).map((column) => ({ ...column, ...logTracks[column.id] })), [all]);
}

/** The gateway's sort figure for each column of the log. */
export const figureOfColumn: Readonly<Record<string, RequestFigure>> = {
  cost: "cost",
  duration: "ms",
  first: "first_ms",
  total: "tokens",
  speed: "rate",
};

/** Columns replaced by a reason if a row has no values. */
export const FIGURES: ReadonlySet<string> = new Set(["input", "cached", "output", "total", "cost", "first", "speed"]);

/** Columns of the log that differ from the short list: it has more columns, and hides the least important ones first. */
const logTracks: Readonly<Record<string, Partial<Column<Receipt>>>> = {
  time: { track: "clamp(70px, 20%, 76px)", sortable: true },
  status: { track: "clamp(40px, 6%, 44px)", end: false },
  model: { track: "minmax(64px, 1.6fr)" },
  provider: { track: "minmax(72px, 0.6fr)", from: 800 },
  client: { track: "minmax(88px, 0.8fr)", from: 570 },
  key: { track: "minmax(72px, 0.8fr)", from: 1_080 },
  input: { track: "96px", from: 740 },
  cached: { from: 1_150 },
  output: { from: 740 },
  total: { from: 1_210 },
  // Wide enough for the cost of a small sandbox call with the estimate sign.
  cost: { track: "clamp(108px, 30%, 116px)", sortable: true },
  first: { track: "56px", from: 860, sortable: true },
  duration: { track: "62px", sortable: true },
};

const pick = (columns: readonly Column<Receipt>[], ids: readonly string[]): readonly Column<Receipt>[] =>
  ids.flatMap((id) => columns.find((column) => column.id === id) ?? []);

const cached: readonly UnitClass[] = ["cached_input", "cached_audio_input"];
const inputs = unitsOn("input", "character");
const outputs = unitsOn("output", "image", "second");

/** Returns the classes of tokens on one side, plus other units on that side. */
function unitsOn(side: "input" | "output", ...others: readonly UnitClass[]): readonly UnitClass[] {
  return unitClassSchema.options.filter((unit) => unitSides[unit] === side || others.includes(unit));
}

/** Formats output tokens per second, e.g. `84.2`; null if a request has no speed. */
export function getSpeed(receipt: Receipt): string | null {
  const rate = pickFigure(getFigures(receipt), "rate");
  return rate === null ? null : formatCompact(rate < 99.95 ? Math.round(rate * 10) / 10 : Math.round(rate));
}

function useAllColumns(names: RowNames, q = ""): readonly Column<Receipt>[] {
  const { t, language } = useSpeech();
  return useMemo(
    () => [
      momentColumn(
        { id: "time", label: t.requests.time, track: "clamp(72px, 9%, 84px)", essential: true },
        language,
        (row) => row.at,
      ),
      {
        id: "model",
        label: t.requests.model,
        track: "minmax(72px, 1.6fr)",
        essential: true,
        cell: (row) => (
          <>
            <RequestedName receipt={row} q={q} />
            <span title={row.model}>
              <Marked text={row.model} q={q} />
            </span>
            <PassedMark receipt={row} />
          </>
        ),
        text: (row) => row.model,
      },
      {
        id: "client",
        label: t.requests.client,
        track: "minmax(80px, 1fr)",
        from: 820,
        cell: (row) => (
          <span className="text-muted" title={row.client}>
            <Marked text={getAppName(row.client)} q={q} />
          </span>
        ),
        text: (row) => getAppName(row.client),
      },
      quietColumn({ id: "key", label: t.requests.key, track: "minmax(80px, 1fr)", from: 640 }, (row) =>
        names.key(row.key),
      ),
      {
        id: "tokens",
        label: t.requests.usage,
        track: "124px",
        end: true,
        from: 540,
        cell: (row) => <UsageCell receipt={row} />,
        text: (row) => usageInWords(row, t, String),
      },
      countColumn("input", inputs, 560, t),
      countColumn("cached", cached, 1_000, t),
      countColumn("output", outputs, 560, t),
      {
        id: "total",
        label: t.requestLog.tokens,
        track: "60px",
        end: true,
        sortable: true,
        cell: (row) => {
          const { tokens } = getFigures(row);
          return tokens === 0 ? (
            nothing
          ) : (
            <span title={usageInWords(row, t, formatCount)}>{formatCompact(tokens)}</span>
          );
        },
        text: (row) => String(getFigures(row).tokens || ""),
      },
      {
        id: "speed",
        label: t.requestLog.speed,
        track: "58px",
        end: true,
        from: 930,
        sortable: true,
        cell: (row) => {
          const speed = getSpeed(row);
          return speed === null ? nothing : <span title={t.requestLog.perSecond(speed)}>{speed}</span>;
        },
        text: (row) => getSpeed(row) ?? "",
      },
      quietColumn({ id: "provider", label: t.requests.provider, track: "minmax(72px, 0.7fr)", from: 760 }, (row) =>
        names.provider(row),
      ),
      {
        id: "cost",
        label: t.requests.cost,
        // Wide enough for $0.00000004, the price of a short text's embedding.
        track: "clamp(88px, 11%, 108px)",
        end: true,
        essential: true,
        cell: (row) =>
          isUnbilled(row) ? (
            nothing
          ) : (
            <>
              {row.estimated && row.nano !== null && (
                <span className="text-muted" title={t.requests.estimated}>
                  ≈{" "}
                </span>
              )}
              <Cost nano={row.nano} sandbox={row.sandbox} />
            </>
          ),
        text: (row) => (isUnbilled(row) ? "" : costInWords(row, t)),
      },
      {
        id: "first",
        label: t.requests.ttft,
        track: "76px",
        end: true,
        from: 900,
        cell: (row) => {
          const first = getFirstMs(row);
          return first === null ? nothing : <span className="text-muted">{formatDuration(first)}</span>;
        },
        text: (row) => {
          const first = getFirstMs(row);
          return first === null ? "" : formatDuration(first);
        },
      },
      {
        id: "duration",
        label: t.requests.duration,
        track: "76px",
        end: true,
        from: 420,
        cell: (row) => formatDuration(row.ms),
        text: (row) => formatDuration(row.ms),
      },
      {
        id: "status",
        label: t.requests.status,
        track: "clamp(36px, 8%, 64px)",
        end: true,
        essential: true,
        cell: (row) => <Status receipt={row} />,
        text: (row) => `${row.status} ${t.requests.outcomes[row.outcome]}`,
      },
    ],
    [t, language, names, q],
  );
}
