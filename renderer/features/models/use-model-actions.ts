import { useQueryClient } from "@tanstack/react-query";
import type { ModelView, OwnRates } from "../../../gateway/contract/model-view.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { getOwnRates } from "./price-draft.ts";

export interface ModelActions {
  /** Rejects with the gateway's error; can be undone afterwards. @param before earlier target of the name. */
  setAlias(name: string, model: string, before: string | null): Promise<void>;
  removeAlias(name: string, model: string): Promise<void>;
  setPrice(model: ModelView, rates: OwnRates): Promise<void>;
  removePrice(model: ModelView): Promise<void>;
  /**
   * Sets prices one by one; prices before a refused one stay set. @param onSaved receives the number of saved prices
   */
  setPrices(
    prices: readonly { readonly model: ModelView; readonly rates: OwnRates }[],
    onSaved: (count: number) => void,
  ): Promise<void>;
}

/** Changes of the owner's own names and prices, each with the inverse one as its undo. */
export function useModelActions(): ModelActions {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();

  const write = async (change: () => Promise<unknown>): Promise<void> => {
    await change();
    await cache.invalidateQueries({ queryKey: [queryNames.models] });
  };
  const done = async (
    change: () => Promise<unknown>,
    message: string,
    inverse: () => Promise<unknown>,
  ): Promise<void> => {
    await write(change);
    notify.undoable(message, () => void write(inverse).catch(notify.showError));
  };

  const alias = (name: string, model: string) => () => client.call("setAlias", { name, model });
  const noAlias = (name: string) => () => client.call("removeAlias", { name });
  const price = (model: string, rates: OwnRates) => () => client.call("setPrice", { model, rates });
  const noPrice = (model: string) => () => client.call("removePrice", { model });

  return {
    setAlias: (name, model, before) =>
      done(alias(name, model), t.models.aliasSet(name, model), before === null ? noAlias(name) : alias(name, before)),
    removeAlias: (name, model) => done(noAlias(name), t.models.aliasRemoved(name), alias(name, model)),
    setPrice(model, rates) {
      const before = getOwnRates(model);
      const inverse = before === null ? noPrice(model.id) : price(model.id, before);
      return done(price(model.id, rates), t.models.priceSet(model.id), inverse);
    },
    async setPrices(prices, onSaved) {
      const undo: (() => Promise<unknown>)[] = [];
      try {
        for (const { model, rates } of prices) {
          const before = getOwnRates(model);
          await price(model.id, rates)();
          undo.push(before === null ? noPrice(model.id) : price(model.id, before));
          onSaved(undo.length);
        }
      } finally {
        await cache.invalidateQueries({ queryKey: [queryNames.models] });
        if (undo.length > 0) {
          const inverse = (): Promise<unknown> => Promise.all(undo.map((each) => each()));
          notify.undoable(t.models.pricesSet(undo.length), () => void write(inverse).catch(notify.showError));
        }
      }
    },
    removePrice(model) {
      const before = getOwnRates(model) ?? {};
      return done(noPrice(model.id), t.models.priceRemoved(model.id), price(model.id, before));
    },
  };
}
