import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import type { ControlInput } from "../../gateway/contract/control.ts";
import type { RequestPage } from "../../gateway/contract/requests.ts";
import type { SessionTurn, SessionView } from "../../gateway/contract/sessions.ts";
import { useGateway } from "./gateway.tsx";
import { queryNames } from "./query-names.ts";

/** Which sessions a list shows. */
export type SessionFilter = Omit<ControlInput<"listSessions">, "limit" | "before">;

const TURNS = 200;
/** Time for which a conversation stays in memory after it was shown, as it may be confidential: enough for going back. */
const KEPT_MS = 30_000;

type Pages<Page> = UseInfiniteQueryResult<InfiniteData<Page, string | undefined>>;

const nextPage = ({ cursor }: { readonly cursor: string | null }): string | undefined => cursor ?? undefined;

export function useSession(id: string): UseQueryResult<SessionView> {
  const { client } = useGateway();
  return useQuery({ queryKey: [queryNames.sessions, "one", id], queryFn: () => client.call("getSession", {}, id) });
}

/**
 * Returns the requests of a session, newest first, page by page.
 * @param span from its start to its newest request, which bounds the search of the log
 */
export function useTurns(
  session: string,
  span: { readonly since: number; readonly until: number } | undefined,
): Pages<RequestPage> {
  const { client } = useGateway();
  return useInfiniteQuery({
    queryKey: [queryNames.turns, session],
    queryFn: ({ pageParam }) =>
      client.call("listRequests", {
        session,
        limit: TURNS,
        ...span,
        ...(pageParam !== undefined && { before: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: nextPage,
  });
}

/** Returns the parts that a request of a session adds to the conversation. @param isEnabled `false` sends no request */
export function useTurn(id: string, isEnabled: boolean): UseQueryResult<SessionTurn> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.turn, id],
    queryFn: () => client.call("getTurn", {}, id),
    enabled: isEnabled,
    gcTime: KEPT_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
