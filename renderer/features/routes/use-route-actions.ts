import { useQueryClient } from "@tanstack/react-query";
import type { RouteView } from "../../../gateway/contract/route-operations.ts";
import type { SetRoute } from "../../../gateway/contract/routes.ts";
import type { Settings } from "../../../gateway/contract/settings.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface RouteActions {
  /** Rejects with the gateway's error. @param before replaced route, possibly with another name */
  save(route: SetRoute, before: RouteView | null): Promise<void>;
  /** These apply to the page immediately, and can be undone. */
  setEnabled(route: RouteView, enabled: boolean): void;
  /** @param isConfirmed although keys that are allowed it lose it */
  remove(route: RouteView, isConfirmed?: boolean): void;
  /** The one switch for all. */
  applyRoutes(on: boolean): void;
}

/** Returns the route as input for saving it again. */
export const asSet = ({ name, models, order, sticky, rules, enabled }: RouteView): SetRoute => ({
  name,
  models,
  order,
  sticky,
  rules,
  enabled,
});

export function useRouteActions(): RouteActions {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const queryKey = [queryNames.routes];

  const edit = (change: (routes: RouteView[]) => RouteView[]): void => {
    cache.setQueryData<RouteView[]>(queryKey, (routes) => (routes === undefined ? routes : change(routes)));
  };
  const renew = async (): Promise<void> => {
    await Promise.all(
      [queryNames.routes, queryNames.models, queryNames.keys].map((name) =>
        cache.invalidateQueries({ queryKey: [name] }),
      ),
    );
  };
  /** Applies the change optimistically; after an error the list is refetched. */
  const write = async (shown: (routes: RouteView[]) => RouteView[], change: () => Promise<unknown>): Promise<void> => {
    await cache.cancelQueries({ queryKey });
    edit(shown);
    try {
      await change();
    } finally {
      void renew();
    }
  };
  const put = (route: SetRoute) => () => client.call("setRoute", route);
  const drop = (name: string, confirm: boolean) => () => client.call("removeRoute", { name, confirm });
  const switched = (route: RouteView, enabled: boolean): Promise<void> =>
    write(
      (routes) => routes.map((each) => (each.name === route.name ? { ...each, enabled } : each)),
      put({ ...asSet(route), enabled }),
    );
  const apply = async (on: boolean): Promise<void> => {
    const settings = [queryNames.settings];
    cache.setQueryData<Settings>(settings, (before) => before && { ...before, routes: on });
    try {
      cache.setQueryData(settings, await client.call("updateSettings", { routes: on }));
    } catch (error) {
      void cache.invalidateQueries({ queryKey: settings });
      throw error;
    }
    void renew();
  };

  return {
    async save(route, before) {
      const renamed = before !== null && before.name !== route.name;
      try {
        await client.call("setRoute", renamed ? { ...route, renames: before.name } : route);
      } finally {
        await renew();
      }
      const undo = async (): Promise<void> => {
        if (before === null) await drop(route.name, true)();
        else await client.call("setRoute", renamed ? { ...asSet(before), renames: route.name } : asSet(before));
        await renew();
      };
      notify.undoable(t.routes.saved(route.name), () => void undo().catch(notify.showError));
    },
    setEnabled(route, enabled) {
      const message = enabled ? t.routes.switchedOn(route.name) : t.routes.switchedOff(route.name);
      switched(route, enabled).then(
        () => notify.undoable(message, () => void switched(route, !enabled).catch(notify.showError)),
        notify.showError,
      );
    },
    remove(route, isConfirmed = false) {
      const undo = (): Promise<void> => write((routes) => [...routes, route], put(asSet(route)));
      write((routes) => routes.filter(({ name }) => name !== route.name), drop(route.name, isConfirmed)).then(
        () => notify.undoable(t.routes.removed(route.name), () => void undo().catch(notify.showError)),
        notify.showError,
      );
    },
    applyRoutes(on) {
      apply(on).then(
        () => notify.undoable(on ? t.routes.allOn : t.routes.allOffSaid, () => void apply(!on).catch(notify.showError)),
        notify.showError,
      );
    },
  };
}
