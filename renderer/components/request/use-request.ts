import { useMutation, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { RecordingsView, RequestDetail, Resent } from "../../../gateway/contract/requests.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../ui/toasts.tsx";

/** @param settled nothing is asked before it is over: there is no receipt */
export function useRequest(id: string, settled = true): UseQueryResult<RequestDetail> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.request, id],
    queryFn: () => client.call("getRequest", {}, id),
    enabled: settled,
    // Bodies may hold anything: they stay in memory only as long as they are looked at.
    gcTime: 0,
  });
}

export function useRecordings(): UseQueryResult<RecordingsView> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.recordings], queryFn: () => client.call("recordings") });
}

/** Switches recording on and off, and deletes what was recorded. */
export function useRecordingActions() {
  const { client } = useGateway();
  const cache = useQueryClient();
  const notify = useNotify();
  const renew = (): void => {
    for (const name of [queryNames.recordings, queryNames.request]) void cache.invalidateQueries({ queryKey: [name] });
  };
  const onError = (error: Error): void => notify.failed(error);
  const set = useMutation({
    mutationFn: (record_bodies: boolean) => client.call("updateSettings", { record_bodies }),
    onSuccess: renew,
    onError,
  });
  const clear = useMutation({ mutationFn: () => client.call("deleteRecordings"), onSuccess: renew, onError });
  return { set, clear };
}

/** Sends a request again, to the same model or another; then its response is there although nothing may be recorded. */
export function useResend(id: string) {
  const { client } = useGateway();
  const notify = useNotify();
  return useMutation({
    mutationFn: (model: string | null): Promise<Resent> =>
      client.call("resendRequest", model === null ? {} : { model }, id),
    onError: (error) => notify.failed(error),
  });
}
