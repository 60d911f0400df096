import { Pause, Play } from "lucide-react";
import type { ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { Column } from "../../components/table/column.ts";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { SearchBox } from "../../components/ui/search-box.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { RequestFilters } from "./request-filters.tsx";
import type { Paused } from "./use-paused.ts";

export interface LogHeadProps {
  readonly params: URLSearchParams;
  readonly keyName: (id: string) => string;
  readonly columns: readonly Column<Receipt>[];
  /** The rows that are copied together. */
  readonly copied: () => Promise<readonly Receipt[]>;
  /** Note next to the search. */
  readonly note: string;
  readonly pause: Paused;
}

/** Above the log: the search, Live or Paused, the menu of the table, and the filters. */
export function LogHead({ params, keyName, columns, copied, note, pause }: LogHeadProps): ReactNode {
  const t = useMessages();
  const words = t.requestLog;
  const paused = pause.since !== null;
  const { count, more } = pause.waiting;
  return (
    <div className="border-b border-line">
      <div className="flex min-h-10 items-center gap-2 px-1.5 py-1">
        <SearchBox q={params.get("q") ?? ""} label={words.search} />
        <output className="numeric shrink-0 text-meta text-faint max-wide:sr-only">{note}</output>
        {paused && (
          <output className="numeric shrink-0 text-meta text-warning-text">
            {words.waiting(`${formatCount(count)}${more ? "+" : ""}`)}
          </output>
        )}
        <Button
          look={paused ? "plain" : "quiet"}
          aria-pressed={paused}
          icon={paused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          onClick={pause.toggle}
        >
          {paused ? words.resume : words.pause}
        </Button>
        <TableMenu table="request-log" label={t.pages.requests} columns={columns} rows={copied} />
      </div>
      <RequestFilters params={params} keyName={keyName} />
    </div>
  );
}
