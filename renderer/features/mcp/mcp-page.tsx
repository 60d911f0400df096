import type { ReactNode } from "react";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { CallTable } from "./call-table.tsx";
import { ToolDialog } from "./tool-dialog.tsx";
import { ToolTable } from "./tool-table.tsx";
import type { McpView } from "../../../gateway/contract/mcp.ts";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { formatCount } from "../../lib/format.ts";
import { ConnectClient } from "./connect-client.tsx";
import { useQuery } from "@tanstack/react-query";
import type { UseQueryResult } from "@tanstack/react-query";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";

/** Sessions open and close without an event. */
const SESSIONS_EVERY_MS = 10_000;

/** Fetches the state of the MCP server; its calls are kept current by events. */
function useMcp(): UseQueryResult<McpView> {
  const { client } = useGateway();
  return useQuery({
    queryKey: [queryNames.mcp],
    queryFn: () => client.call("mcp"),
    refetchInterval: SESSIONS_EVERY_MS,
  });
}

/** The tool server: how clients connect, its tools to try, and their calls as they happen. `tool` in the address opens one. */
export function McpPage(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const { data: view, error, refetch } = useMcp();
  return (
    <>
      <PageHeader title={t.pages.mcp} />
      {view === undefined ? (
        <section className="panel">
          {error === null ? <SkeletonRows rows={8} /> : <Failure error={error} onRetry={() => void refetch()} />}
        </section>
      ) : (
        <div className="flex flex-col gap-4">
          <ServerPanel view={view} />
          <ToolTable tools={view.tools} />
          <CallTable calls={view.calls} hasExample={view.tools.some(({ name }) => name === "list_models")} />
          <ToolDialog name={params.get("tool")} view={view} onClose={() => replaceParams({ tool: null })} />
        </div>
      )}
    </>
  );
}

/** Address and protocol of the tool server, and the configuration for clients. */
function ServerPanel({ view }: { readonly view: McpView }): ReactNode {
  const t = useMessages();
  return (
    <section className="panel min-[900px]:grid min-[900px]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <div className="px-3.5 py-3">
        <p className="mb-3 text-muted">{t.mcp.about}</p>
        <dl className="grid grid-cols-[104px_minmax(0,1fr)] items-center gap-y-1">
          <dt className="text-muted">{t.mcp.address}</dt>
          <dd className="flex min-h-8 items-center gap-1">
            <code className="min-w-0 font-mono wrap-anywhere">{view.url}</code>
            <CopyIcon text={view.url} label={t.mcp.copyAddress} />
          </dd>
          <dt className="text-muted">{t.mcp.auth}</dt>
          <dd className="min-h-6 wrap-anywhere">{t.mcp.authHeader}</dd>
          <dt className="self-start text-muted">{t.mcp.protocols}</dt>
          <dd className="numeric min-h-6 wrap-anywhere">{view.protocol_versions.join(", ")}</dd>
          <dt className="text-muted">{t.mcp.sessions}</dt>
          <dd className="numeric min-h-6" title={t.mcp.sessionsHelp}>
            {formatCount(view.sessions)}
          </dd>
        </dl>
      </div>
      <ConnectClient url={view.url} />
    </section>
  );
}
