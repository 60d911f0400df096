import { Download } from "lucide-react";
import type { ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/settings.ts";
import type { PriceListOrigin } from "../../../gateway/contract/price-list.ts";
import { usePriceList } from "../../api/maintenance-queries.ts";
import { Button } from "../../components/ui/button.tsx";
import { Failure, NoticeLine, SkeletonRows } from "../../components/ui/states.tsx";
import { formatCount, formatMoment } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n.tsx";
import { OfferedPrices } from "./offered-prices.tsx";
import { Group, SettingFields } from "./setting.tsx";
import { usePriceListActions } from "./use-price-list-actions.ts";

/** Source of newer prices, and their changes before they apply. */
export function PricesSection({ settings }: { readonly settings: Settings }): ReactNode {
  const { t, language } = useSpeech();
  const { data: view, error, refetch } = usePriceList();
  const actions = usePriceListActions();
  return (
    <>
      <Group
        title={t.settings.priceList}
        help={t.settings.priceListHelp}
        actions={
          <Button
            icon={<Download size={14} aria-hidden />}
            busy={actions.busy}
            disabled={settings.price_list_url === null}
            onClick={() => void actions.refresh()}
          >
            {t.settings.fetchPrices}
          </Button>
        }
      >
        <SettingFields group="priceList" settings={settings} />
        {view !== undefined ? (
          <>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <div className="min-w-0 grow basis-60">
                <p className="font-medium">{t.settings.pricesInUse}</p>
                <p className="text-meta text-muted wrap-anywhere">
                  {view.accepted === null ? t.settings.catalogAlone : <Origin list={view.accepted} />}
                </p>
              </div>
              {view.accepted !== null && (
                <Button busy={actions.busy} onClick={() => void actions.drop("accepted")}>
                  {t.settings.dropPrices}
                </Button>
              )}
            </div>
            {view.problem !== null && (
              <NoticeLine level="warning">
                {t.settings.pricesFailed(formatMoment(view.problem.at, language), view.problem.message)}
              </NoticeLine>
            )}
          </>
        ) : error === null ? (
          <SkeletonRows rows={2} />
        ) : (
          <Failure error={error} onRetry={() => void refetch()} />
        )}
      </Group>
      {view?.offered != null && (
        <OfferedPrices
          key={view.offered.id}
          offered={view.offered}
          origin={<Origin list={view.offered} />}
          {...actions}
        />
      )}
    </>
  );
}

function Origin({ list }: { readonly list: PriceListOrigin }): ReactNode {
  const { t, language } = useSpeech();
  return t.settings.pricesFrom(formatCount(list.models), list.url, formatMoment(list.fetched_at, language));
}
