import { Menu } from "../../components/ui/menu.tsx";
import { IconButton } from "../../components/ui/button.tsx";
import { Ellipsis } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { formatCount, formatMoney, getPercent } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { useRoving } from "../../lib/roving.ts";
import type { ShownFigure } from "./overview-address.ts";
import { PanelHead } from "./panel-head.tsx";
import { getTop, type Traffic, type TrafficGroup } from "./traffic.ts";

export interface TopListProps {
  readonly title: string;
  /** Link to the whole list. */
  readonly all: { readonly label: string; readonly href: string };
  /** Undefined while loading. */
  readonly traffic: Traffic | undefined;
  readonly shown: ShownFigure;
  readonly nameOf: (group: string) => string;
  readonly glyph?: ComponentType<{ readonly id: string }>;
  /** The requests of a group. */
  readonly hrefOf: (group: string) => string;
  /** Menu items of a group with a name. */
  readonly items?: (group: string) => ReactNode;
}

/** The groups that have most of spend, or of requests, each with its share; a row opens its requests. */
export function TopList({ title, all, traffic, shown, nameOf, glyph, hrefOf, items }: TopListProps): ReactNode {
  const t = useMessages();
  const roving = useRoving<HTMLUListElement>();
  const rows = traffic === undefined ? [] : getTop(traffic.groups, shown);
  const whole = traffic?.total[shown] ?? 0;
  return (
    <section className="panel min-w-0" aria-label={title}>
      <PanelHead title={title} link={all} />
      <ul ref={roving} className="wide:min-h-42 py-1">
        {traffic !== undefined && rows.length === 0 && (
          <li className="px-3.5 py-1.5 text-muted">{t.overview.noRequests}</li>
        )}
        {rows.map((row) => (
          <TopRow
            key={row.group}
            row={row}
            shown={shown}
            share={getPercent(row[shown], whole)}
            name={nameOf(row.group ?? "")}
            glyph={glyph}
            href={hrefOf(row.group ?? "")}
            items={row.group ? items?.(row.group) : undefined}
          />
        ))}
      </ul>
    </section>
  );
}

interface TopRowProps {
  readonly row: TrafficGroup;
  readonly shown: ShownFigure;
  /** Percent of all. */
  readonly share: number;
  readonly name: string;
  readonly glyph: ComponentType<{ readonly id: string }> | undefined;
  readonly href: string;
  readonly items: ReactNode;
}

function TopRow({ row, shown, share, name, glyph: Glyph, href, items }: TopRowProps): ReactNode {
  const t = useMessages();
  const words = t.overview.requestCount(formatCount(row.requests));
  const figure = shown === "nano" ? formatMoney(row.nano) : formatCount(row.requests);
  return (
    <li className="flex items-center">
      <a
        href={href}
        title={shown === "nano" ? words : formatMoney(row.nano)}
        className="relative flex h-8 min-w-0 grow items-center gap-2 px-3.5 text-text no-underline hover:bg-hover"
      >
        <span
          aria-hidden
          className="absolute inset-x-1.5 inset-y-0.5 origin-left rounded-sm bg-accent-soft forced-colors:border-b"
          style={{ transform: `scaleX(${share / 100})` }}
        />
        <span className="relative flex min-w-0 grow items-center gap-2">
          {Glyph !== undefined && <Glyph id={row.group ?? ""} />}
          <span className="truncate">{name}</span>
        </span>
        <span className="numeric relative shrink-0">{figure}</span>
        <span className="numeric relative w-12 shrink-0 text-right whitespace-nowrap text-muted">
          {t.overview.share(share > 0 && share < 9.95 ? share.toFixed(1) : share.toFixed(0))}
        </span>
      </a>
      {items !== undefined && (
        <Menu
          trigger={
            <IconButton label={t.app.actions(name)} className="mr-1 flex! h-6! w-6! shrink-0">
              <Ellipsis size={15} aria-hidden />
            </IconButton>
          }
        >
          {items}
        </Menu>
      )}
    </li>
  );
}
