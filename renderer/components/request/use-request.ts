import { useMutation, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RecordingsView, RequestDetail, Resent } from "../../../gateway/contract/requests.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../ui/toasts.tsx";

/** State of a request. */
export interface RequestState {
  /** Null while running or loading. */
  readonly receipt: Receipt | null;
  /** Undefined while loading. */
  readonly detail: RequestDetail | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

export interface RequestOptions {
  /** Receipt, if it is already loaded. */
  readonly known?: Receipt | null;
  /** `false`: nothing is fetched, because it is running or only being scrolled past. */
  readonly isEnabled?: boolean;
}

/** Milliseconds to cache a viewed request for navigating back; short, because bodies may be sensitive. */
const KEPT_MS = 30_000;

/** @param isEnabled nothing is fetched before the end, because there is no receipt */
export function useRequest(id: string, isEnabled = true): UseQueryResult<RequestDetail> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.request, id],
    queryFn: () => client.call("getRequest", {}, id),
    enabled: isEnabled,
    gcTime: KEPT_MS,
  });
}

/** Returns the state of a request: known data immediately, then the gateway's. */
export function useRequestState(id: string, { known = null, isEnabled = true }: RequestOptions = {}): RequestState {
  const { data, error, refetch } = useRequest(id, isEnabled);
  return { receipt: data?.receipt ?? known, detail: data, error, retry: () => void refetch() };
}

export function useRecordings(): UseQueryResult<RecordingsView> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.recordings], queryFn: () => client.call("recordings") });
}

/** Enables and disables recording, and deletes recordings. */
export function useRecordingActions() {
  const { client } = useGateway();
  const cache = useQueryClient();
  const notify = useNotify();
  const renew = (): void => {
    for (const name of [queryNames.recordings, queryNames.request]) void cache.invalidateQueries({ queryKey: [name] });
  };
  const onError = (error: Error): void => notify.showError(error);
  const set = useMutation({
    mutationFn: (record_bodies: boolean) => client.call("updateSettings", { record_bodies }),
    onSuccess: renew,
    onError,
  });
  const clear = useMutation({ mutationFn: () => client.call("deleteRecordings"), onSuccess: renew, onError });
  return { set, clear };
}

/** Resends a request to the same or another model; its response is shown even if nothing is recorded. */
export function useResend(id: string) {
  const { client } = useGateway();
  const notify = useNotify();
  return useMutation({
    mutationFn: (model: string | null): Promise<Resent> =>
      client.call("resendRequest", model === null ? {} : { model }, id),
    onError: (error) => notify.showError(error),
  });
}
