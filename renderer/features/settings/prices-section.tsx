import { Download } from "lucide-react";
import type { ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/control.ts";
import type { PriceListOrigin } from "../../../gateway/contract/price-list.ts";
import { usePriceList } from "../../api/maintenance-queries.ts";
import { Button } from "../../components/ui/button.tsx";
import { Failure, NoticeLine, SkeletonRows } from "../../components/ui/states.tsx";
import { formatCount, formatMoment } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { OfferedPrices } from "./offered-prices.tsx";
import { Group, SwitchRow, UrlSetting } from "./setting.tsx";
import { usePriceListActions } from "./use-price-list-actions.ts";
import { useSetting } from "./use-setting.ts";

/** Where newer prices come from, and what they would change before they do. */
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
        <UrlSetting
          name="price_list_url"
          settings={settings}
          label={t.settings.priceListUrl}
          help={t.settings.priceListUrlHelp}
          empty={t.settings.noPriceList}
        />
        <DailySwitch settings={settings} />
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

function DailySwitch({ settings }: { readonly settings: Settings }): ReactNode {
  const t = useMessages();
  const { save } = useSetting("price_list_daily", t.settings.priceListDaily);
  return (
    <SwitchRow
      label={t.settings.priceListDaily}
      help={t.settings.priceListDailyHelp}
      checked={settings.price_list_daily}
      onChange={(on) => void save(on)}
      unavailable={settings.price_list_url === null ? t.settings.priceListNeedsUrl : undefined}
    />
  );
}

function Origin({ list }: { readonly list: PriceListOrigin }): ReactNode {
  const { t, language } = useSpeech();
  return t.settings.pricesFrom(formatCount(list.models), list.url, formatMoment(list.fetched_at, language));
}
