import type { ReactNode } from "react";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { CallTable } from "./call-table.tsx";
import { ServerPanel } from "./server-panel.tsx";
import { ToolDialog } from "./tool-dialog.tsx";
import { ToolTable } from "./tool-table.tsx";
import { useMcp } from "./use-mcp.ts";

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
