import { useState, type ReactNode } from "react";
import type { PriceChange, PriceListView, RateChange } from "../../../gateway/contract/price-list.ts";
import { soldByPiece } from "../../../gateway/contract/units.ts";
import { usePriceChanges } from "../../api/maintenance-queries.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { Failure, NoticeLine, SkeletonRows } from "../../components/ui/states.tsx";
import { formatCount, formatRate } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { Group } from "./setting.tsx";
import type { PriceListActions } from "./use-price-list-actions.ts";

export interface OfferedPricesProps extends PriceListActions {
  readonly offered: NonNullable<PriceListView["offered"]>;
  /** Source of the prices, as text. */
  readonly origin: ReactNode;
}

/** Changes of a fetched list, old and new, and the choice to accept them. */
export function OfferedPrices({ offered, origin, busy, acceptList: accept, drop }: OfferedPricesProps): ReactNode {
  const t = useMessages();
  const { changed, added, removed, unusual, connected } = offered.changes;
  const [all, showAll] = useState(false);
  const [isConfirming, ask] = useState(false);
  const take = async (): Promise<void> => {
    if (await accept({ id: offered.id, unusual: unusual > 0 })) ask(false);
  };
  const warning = t.settings.unusualWarning(formatCount(unusual));
  return (
    <Group
      title={t.settings.offeredPrices}
      help={origin}
      actions={
        <>
          <Button disabled={busy} onClick={() => void drop("offered")}>
            {t.settings.leaveOffered}
          </Button>
          <Button look="primary" busy={busy} onClick={() => (unusual > 0 ? ask(true) : void take())}>
            {t.settings.acceptPrices}
          </Button>
        </>
      }
    >
      {unusual > 0 && <NoticeLine level="warning">{warning}</NoticeLine>}
      <p>{t.settings.offeredCounts(formatCount(changed), formatCount(added), formatCount(removed))}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className="grow font-medium">
          {connected === 0 ? t.settings.offeredNowhere : t.settings.offeredAtConnections(formatCount(connected))}
        </p>
        {changed + added + removed > connected && (
          <Button aria-pressed={all} onClick={() => showAll(!all)}>
            {all ? t.settings.offeredOnlyMine : t.settings.offeredEverywhere}
          </Button>
        )}
      </div>
      <Changes all={all} />
      <Confirm
        open={isConfirming}
        onClose={() => ask(false)}
        onConfirm={() => void take()}
        title={t.settings.acceptUnusualTitle}
        description={warning}
        action={t.settings.acceptUnusual}
        busy={busy}
      />
    </Group>
  );
}

function Changes({ all }: { readonly all: boolean }): ReactNode {
  const t = useMessages();
  const { data: changes, error, refetch } = usePriceChanges(all);
  if (changes === undefined)
    return error === null ? <SkeletonRows rows={3} /> : <Failure error={error} onRetry={() => void refetch()} />;
  if (changes.data.length === 0) return null;
  return (
    <div>
      <p className="text-meta text-muted">{t.settings.priceUnitsHelp}</p>
      {/* A scrollable region without focusable content must itself be focusable. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section aria-label={t.settings.priceChanges} tabIndex={0} className="max-h-96 overflow-y-auto">
        <ul>
          {changes.data.map((change) => (
            <li
              key={`${change.host} ${change.model}`}
              className="flex flex-wrap gap-x-4 gap-y-1 border-b border-line/60 py-2 last:border-transparent"
            >
              <Named change={change} />
              <dl className="grow basis-72">
                {change.rates.map((rate) => (
                  <Rate key={`${rate.unit} ${rate.above}`} rate={rate} />
                ))}
              </dl>
            </li>
          ))}
        </ul>
      </section>
      {changes.total > changes.data.length && (
        <p className="mt-2 text-meta text-faint">
          {t.settings.offeredMore(formatCount(changes.data.length), formatCount(changes.total))}
        </p>
      )}
    </div>
  );
}

function Named({ change }: { readonly change: PriceChange }): ReactNode {
  const t = useMessages();
  return (
    <div className="min-w-0 grow basis-56">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium wrap-anywhere">{change.model}</span>
        {change.unusual && <Badge tone="warning">{t.settings.unusual}</Badge>}
        {change.kind !== "changed" && <Badge>{t.settings.priceKinds[change.kind]}</Badge>}
      </p>
      <p className="text-meta text-faint wrap-anywhere">{change.host}</p>
    </div>
  );
}

function Rate({ rate: { unit, above, old, new: next } }: { readonly rate: RateChange }): ReactNode {
  const t = useMessages();
  const words = (rate: number | null): string =>
    rate === null ? t.settings.priceNone : formatRate(rate, soldByPiece(unit) ? 1 : 1_000_000);
  return (
    <div className="flex flex-wrap justify-between gap-x-3">
      <dt className="text-muted">
        {t.models.units[unit]}
        {above > 0 && ` ${t.settings.priceAbove(formatCount(above))}`}
      </dt>
      <dd className="numeric">
        <span className="text-faint">{words(old)}</span> → {words(next)}
      </dd>
    </div>
  );
}
