import { Bug, Maximize2 } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RecordedAttempt, Recording } from "../../../gateway/contract/requests.ts";
import { diffJson, foldSame, listFieldChanges, type DiffRow } from "../../lib/json-diff.ts";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { Button } from "../ui/button.tsx";
import { FilterChip } from "../ui/chip.tsx";
import { Modal } from "../ui/dialog.tsx";
import { Section } from "../ui/section.tsx";
import { readDocument } from "./fold-stream.ts";
import { parseText } from "./readable.ts";
import { describeMissing, Lacks } from "./recorded-request.tsx";
import { ReportDialog } from "./report-dialog.tsx";

export interface BothSidesProps {
  readonly receipt: Receipt;
  readonly recording: Recording;
}

/** The app's request and response next to those of a provider, with their differences. */
export function BothSides({ receipt, recording }: BothSidesProps): ReactNode {
  const t = useMessages();
  const [isWide, setWide] = useState(false);
  const [isReporting, setReporting] = useState(false);
  return (
    <>
      <div className="flex flex-wrap gap-1.5">
        <Button icon={<Maximize2 size={13} aria-hidden />} onClick={() => setWide(true)}>
          {t.requestLog.sides.wide}
        </Button>
        <Button icon={<Bug size={13} aria-hidden />} onClick={() => setReporting(true)}>
          {t.requestLog.report.open}
        </Button>
      </div>
      <Sides recording={recording} />
      <Modal open={isWide} onClose={() => setWide(false)} title={t.requestLog.tabs.sides} size="wide">
        <div className="flex flex-col gap-3 overflow-y-auto px-4 pt-2 pb-4">
          {isWide && <Sides recording={recording} />}
        </div>
      </Modal>
      <ReportDialog open={isReporting} onClose={() => setReporting(false)} receipt={receipt} recording={recording} />
    </>
  );
}

function Sides({ recording }: Pick<BothSidesProps, "recording">): ReactNode {
  const { sides: t } = useMessages().requestLog;
  const { attempts = [] } = recording;
  const [chosen, setChosen] = useState(attempts.length - 1);
  const attempt = attempts[chosen];
  if (attempt === undefined) return <p className="text-muted">{t.none}</p>;
  return (
    <>
      {attempts.length > 1 && (
        <div className="flex flex-wrap gap-1.5">
          {attempts.map(({ status, ms }, index) => (
            <FilterChip key={ms} pressed={index === chosen} onPress={() => setChosen(index)}>
              {t.attempt(index + 1, status === null ? t.noResponse : String(status))}
            </FilterChip>
          ))}
        </div>
      )}
      <RequestSides recording={recording} attempt={attempt} />
      <ResponseSides recording={recording} attempt={attempt} />
    </>
  );
}

interface SidesProps {
  readonly recording: Recording;
  readonly attempt: RecordedAttempt;
}

function RequestSides({ recording: { request, path }, attempt }: SidesProps): ReactNode {
  const t = useMessages();
  const { sides } = t.requestLog;
  return (
    <Section title={sides.request} actions={<Addresses client={path} provider={attempt.url} />}>
      {attempt.request === null ? (
        <p className="text-muted">{sides.sameRequest}</p>
      ) : (
        <>
          <Diff left={readBody(request.text)} right={readBody(attempt.request.text)} />
          <Lacks lacks={[...new Set([...describeMissing(request, t), ...describeMissing(attempt.request, t)])]} />
        </>
      )}
    </Section>
  );
}

const readBody = (text: string): unknown => parseText(text) ?? text;

function ResponseSides({ recording: { response, status }, attempt }: SidesProps): ReactNode {
  const t = useMessages();
  const { sides } = t.requestLog;
  const isStream = [response?.type, attempt.response?.type].includes("text/event-stream");
  const statuses = { client: String(status ?? sides.noResponse), provider: String(attempt.status ?? sides.noResponse) };
  return (
    <Section title={sides.response} actions={<Addresses {...statuses} />}>
      {attempt.error !== null && <p className="wrap-anywhere text-danger-text">{attempt.error}</p>}
      {attempt.passed ? (
        <p className="text-muted">{sides.sameResponse}</p>
      ) : (
        <>
          <Diff
            left={response === null ? undefined : readDocument(response)}
            right={attempt.response === null ? undefined : readDocument(attempt.response)}
          />
          {isStream && <p className="mt-1 text-meta text-faint">{sides.stream}</p>}
        </>
      )}
    </Section>
  );
}

function Addresses({ client, provider }: { readonly client: string; readonly provider: string }): ReactNode {
  return (
    <span className="min-w-0 font-mono text-meta wrap-anywhere text-faint">
      {client} → {provider}
    </span>
  );
}

/** Lines that are drawn at first, and with each press. */
const PAGE = 400;

interface DiffProps {
  /** The app's document; undefined for none. */
  readonly left: unknown;
  readonly right: unknown;
}

/** Two documents line by line, below which fields differ. Narrow places show one column. */
function Diff({ left, right }: DiffProps): ReactNode {
  const { sides: t } = useMessages().requestLog;
  const comma = useMessages().app.comma;
  const [shown, setShown] = useState(PAGE);
  const rows = useMemo(() => diffJson(left, right), [left, right]);
  const { removed, added, changed } = useMemo(() => listFieldChanges(left, right), [left, right]);
  const runs = useMemo(() => foldSame(rows.slice(0, shown)), [rows, shown]);
  const chips = [
    ...(removed.length > 0 ? [t.removed(removed.join(comma))] : []),
    ...(added.length > 0 ? [t.added(added.join(comma))] : []),
    ...(changed.length > 0 ? [t.changed(changed.join(comma))] : []),
  ];
  const isEqual = rows.every(({ kind }) => kind === "same");
  return (
    <div className="@container">
      <p className="mb-1 wrap-anywhere text-muted">{isEqual ? t.equal : chips.join(" · ")}</p>
      <div className="overflow-hidden rounded-md border border-line bg-canvas font-mono text-meta">
        <div className="grid grid-cols-2 border-b border-line text-faint @max-[640px]:grid-cols-1">
          <span className="px-2 py-0.5">− {t.client}</span>
          <span className="px-2 py-0.5">+ {t.provider}</span>
        </div>
        {runs.map(({ folded, rows: lines }, index) =>
          folded ? (
            <FoldedRows key={index} rows={lines} />
          ) : (
            lines.map((row, place) => <Row key={`${index} ${place}`} row={row} />)
          ),
        )}
      </div>
      {rows.length > shown && (
        <div className="mt-1">
          <Button onClick={() => setShown(shown + PAGE)}>
            {t.more(formatCount(Math.min(PAGE, rows.length - shown)))}
          </Button>
        </div>
      )}
    </div>
  );
}

function FoldedRows({ rows }: { readonly rows: readonly DiffRow[] }): ReactNode {
  const { sides: t } = useMessages().requestLog;
  const [open, setOpen] = useState(false);
  if (open) return rows.map((row, place) => <Row key={place} row={row} />);
  return (
    <div className="border-y border-line/60 bg-surface">
      <span>
        <button type="button" className="min-h-6 px-2 text-muted hover:text-text" onClick={() => setOpen(true)}>
          {t.folded(formatCount(rows.length))}
        </button>
      </span>
    </div>
  );
}

/** A row of both sides. In one column, what is the same is there once. */
function Row({ row: { kind, left, right } }: { readonly row: DiffRow }): ReactNode {
  const isSame = kind === "same";
  return (
    <div className="grid grid-cols-2 @max-[640px]:grid-cols-1">
      <Cell text={left} tone={isSame ? "" : "bg-danger-soft"} sign={isSame ? " " : "−"} />
      <Cell text={right} tone={isSame ? "@max-[640px]:hidden" : "bg-success-soft"} sign={isSame ? " " : "+"} />
    </div>
  );
}

interface CellProps {
  readonly text: string | null;
  readonly tone: string;
  /** Sign before the line, because colours are not seen by everyone. */
  readonly sign: string;
}

function Cell({ text, tone, sign }: CellProps): ReactNode {
  if (text === null) return <span className="@max-[640px]:hidden" />;
  return <span className={`min-w-0 px-2 whitespace-pre-wrap wrap-anywhere ${tone}`}>{`${sign} ${text}`}</span>;
}
