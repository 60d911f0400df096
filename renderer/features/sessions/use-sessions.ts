import { useCallback } from "react";
import type { SessionPage, SessionView } from "../../../gateway/contract/sessions.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import type { SessionFilter } from "../../api/session-queries.ts";
import { useList, type ListView } from "../../api/use-list.ts";
import type { PageStart } from "../../lib/list-chunks.ts";

const PAGE_ROWS = 100;

/** A page whose total is display-only: sessions are fetched page by page. */
export type SessionListPage = Omit<SessionPage, "total"> & { readonly count: number };

/** Sessions, the newest first; each request of a session moves it to the top. */
export function useSessions(filter: SessionFilter): ListView<SessionView, SessionFilter, SessionListPage> {
  const { client } = useGateway();
  const fetchPage = useCallback(
    async (of: SessionFilter, { before }: PageStart, limit: number): Promise<SessionListPage> => {
      const { total: count, ...page } = await client.call("listSessions", {
        ...of,
        limit,
        ...(before !== null && { before }),
      });
      return { ...page, count };
    },
    [client],
  );
  return useList({ name: queryNames.sessions, filter, fetchPage, pageRows: PAGE_ROWS, isReordered: true });
}
