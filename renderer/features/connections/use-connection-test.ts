import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { ConnectionTest, ConnectionView } from "../../../gateway/contract/connection.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../../components/ui/toasts.tsx";

const RESULTS = "connection-test";

/** Puts a test's result next to its connection; the add dialog tests before there is a panel. */
export function keepTestResult(cache: QueryClient, id: string, result: ConnectionTest): void {
  cache.setQueryData([RESULTS, id], result);
}

export interface ConnectionTestState {
  readonly result: ConnectionTest | null;
  readonly testing: boolean;
  test(): void;
}

/** Runs the provider's cheapest real call. The result stays next to the connection until the next test. */
export function useConnectionTest({ id }: ConnectionView): ConnectionTestState {
  const cache = useQueryClient();
  const { client } = useGateway();
  const notify = useNotify();
  const result = useSyncExternalStore(
    (listener) => cache.getQueryCache().subscribe(listener),
    () => cache.getQueryData<ConnectionTest>([RESULTS, id]) ?? null,
  );
  const { mutate, isPending } = useMutation({
    mutationFn: () => client.call("testConnection", {}, id),
    onSuccess: (response) => keepTestResult(cache, id, response),
    onError: notify.showError,
    onSettled: () => cache.invalidateQueries({ queryKey: [queryNames.connections] }),
  });
  return { result, testing: isPending, test: () => mutate() };
}
