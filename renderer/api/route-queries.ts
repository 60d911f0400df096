import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { RouteEffect, RouteView } from "../../gateway/contract/route-operations.ts";
import type { SetRoute } from "../../gateway/contract/routes.ts";
import { useGateway } from "./gateway.tsx";
import { queryNames } from "./query-names.ts";

/** The owner's routes, those that are switched off among them. */
export function useRoutes(): UseQueryResult<RouteView[]> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.routes],
    queryFn: async () => (await client.call("listRoutes")).data,
  });
}

/** Returns a route's effect; the previous draft's stays until the next is known. @param route null sends no request */
export function useRouteEffect(route: SetRoute | null): UseQueryResult<RouteEffect> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.routeEffect, route],
    queryFn: () => (route === null ? Promise.reject(new TypeError("no route")) : client.call("routeEffect", route)),
    enabled: route !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}
