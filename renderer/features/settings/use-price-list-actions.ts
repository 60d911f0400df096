import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ControlInput } from "../../../gateway/contract/control.ts";
import type { PriceListView } from "../../../gateway/contract/price-list.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface PriceListActions {
  readonly busy: boolean;
  /** Each resolves `true` when it was done. */
  refresh(): Promise<boolean>;
  acceptList(input: ControlInput<"acceptPriceList">): Promise<boolean>;
  drop(list: "accepted" | "offered"): Promise<boolean>;
}

export function usePriceListActions(): PriceListActions {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<PriceListView>, describe: (view: PriceListView) => string | null) => {
    setBusy(true);
    try {
      const view = await work();
      cache.setQueryData([queryNames.priceList], view);
      const sentence = describe(view);
      if (sentence !== null) notify.confirm(sentence);
      return true;
    } catch (error) {
      notify.showError(error);
      return false;
    } finally {
      setBusy(false);
      // A failure also shows there, and the offered changes are others.
      void cache.invalidateQueries({ queryKey: [queryNames.priceList] });
    }
  };
  return {
    busy,
    refresh: () =>
      run(
        () => client.call("refreshPriceList"),
        ({ offered }) => (offered === null ? t.settings.pricesSame : null),
      ),
    acceptList: (input) =>
      run(
        () => client.call("acceptPriceList", input),
        () => t.settings.pricesAccepted,
      ),
    drop: (list) =>
      run(
        () => client.call("dropPriceList", { list }),
        () => (list === "accepted" ? t.settings.pricesDropped : null),
      ),
  };
}
