import { useMutation, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RecordingsView, RequestDetail, Resent } from "../../../gateway/contract/requests.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../ui/toasts.tsx";

/** State of a request. */
export interface RequestState {
  /** Null while it is not known: it runs, or is on its way. */
  readonly receipt: Receipt | null;
  /** Undefined while it is on its way. */
  readonly detail: RequestDetail | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

export interface RequestOptions {
  /** Receipt, if it is already loaded. */
  readonly known?: Receipt | null;
  /** `false`: nothing is asked now; it runs, or someone is on the way past it. */
  readonly isEnabled?: boolean;
}

/** How long a request that one has looked at is kept for the way back. Bodies may hold anything: no longer than that. */
const KEPT_MS = 30_000;

/** @param isEnabled nothing is asked before it is over: there is no receipt */
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

/** Switches recording on and off, and deletes what was recorded. */
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

/** Sends a request again, to the same model or another; then its response is there although nothing may be recorded. */
export function useResend(id: string) {
  const { client } = useGateway();
  const notify = useNotify();
  return useMutation({
    mutationFn: (model: string | null): Promise<Resent> =>
      client.call("resendRequest", model === null ? {} : { model }, id),
    onError: (error) => notify.showError(error),
  });
}
