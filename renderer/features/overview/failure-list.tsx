import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useRecentRequests } from "../../api/queries.ts";
import { RECENT_ROWS } from "../../api/live.ts";
import { Moment } from "../../components/ui/figures.tsx";
import { formatCount } from "../../lib/format.ts";
import { formatProblemInWords, formatProblemTooltip } from "../../lib/error-sentence.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { useRoving } from "../../lib/roving.ts";
import { routeHash } from "../../lib/router.ts";
import { failureAddress, failuresByCode } from "./failures.ts";
import { MOST_SHOWN } from "./traffic.ts";
import { PanelHead } from "./panel-head.tsx";

export interface FailureListProps {
  /** Unix ms; stable while the range is unchanged. */
  readonly since: number;
  /** Same time in an address of the Requests page. */
  readonly time: Readonly<Record<string, string>>;
}

/** Recent failures by code, newest first; a row opens its requests. */
export function FailureList({ since, time }: FailureListProps): ReactNode {
  const speech = useSpeech();
  const { t } = speech;
  const list = useRecentRequests({ status: "failed", since }).data;
  const roving = useRoving<HTMLUListElement>();
  const known = list !== undefined;
  const groups = failuresByCode(list?.data.slice(0, RECENT_ROWS) ?? []);
  const more = (list?.data.length ?? 0) >= RECENT_ROWS;
  return (
    <section className="panel min-w-0" aria-label={t.overview.failures}>
      <PanelHead title={t.overview.failures}>
        {groups.length > 0 && <span className="text-meta text-faint">{more ? t.overview.newestFailures : ""}</span>}
      </PanelHead>
      <ul ref={roving} className="wide:min-h-42 py-1">
        {known && groups.length === 0 && (
          <li className="flex h-8 items-center gap-2 px-3.5 text-muted">
            <CircleCheck size={15} aria-hidden className="shrink-0 text-success-text" />
            {t.overview.noFailures}
          </li>
        )}
        {known &&
          groups.slice(0, MOST_SHOWN).map((group) => (
            <li key={group.newest.code ?? group.newest.outcome}>
              <a
                href={routeHash("requests", { ...failureAddress(group), ...time })}
                className="flex h-8 items-center gap-2 px-3.5 text-text no-underline hover:bg-hover"
              >
                <span className="numeric w-7 shrink-0 text-danger-text">
                  {group.newest.status >= 400 && group.newest.status}
                </span>
                <span className="min-w-0 grow truncate" title={formatProblemTooltip(group.newest, speech)}>
                  {formatProblemInWords(group.newest, speech)}
                </span>
                <span className="shrink-0 text-meta text-faint">
                  <Moment at={group.newest.at} />
                </span>
                <span className="numeric w-8 shrink-0 text-right">{t.overview.times(formatCount(group.count))}</span>
              </a>
            </li>
          ))}
      </ul>
    </section>
  );
}
