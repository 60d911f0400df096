import { Activity } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { McpCall } from "../../../gateway/contract/mcp.ts";
import { useKeyNames } from "../../api/key-names.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Empty } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { useCallColumns } from "./call-columns.tsx";
import { CallDialog } from "./call-dialog.tsx";

export interface CallTableProps {
  /** Newest first. */
  readonly calls: readonly McpCall[];
  /** Whether the tool of the example is there. */
  readonly hasExample: boolean;
}

const callId = ({ id }: McpCall): string => id;

/** Calls of tools by all clients and by this page, each row as it moves. */
export function CallTable({ calls, hasExample }: CallTableProps): ReactNode {
  const t = useMessages();
  const keyName = useKeyNames();
  const columns = useCallColumns(keyName);
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <section className="panel">
      <div className="flex min-h-10 items-center gap-2 border-b border-line py-1 pr-1.5 pl-3.5">
        <h2 className="grow font-semibold">{t.mcp.calls}</h2>
        <TableMenu table="mcp-calls" label={t.mcp.calls} columns={columns} rows={calls} />
      </div>
      {calls.length === 0 ? (
        <Empty
          icon={<Activity size={24} aria-hidden />}
          title={t.mcp.noCalls}
          help={t.mcp.noCallsHelp}
          action={
            hasExample && <Button onClick={() => replaceParams({ tool: "list_models" })}>{t.mcp.tryExample}</Button>
          }
        />
      ) : (
        <DataTable
          id="mcp-calls"
          label={t.mcp.calls}
          columns={columns}
          rows={calls}
          rowKey={callId}
          onOpen={({ id }) => setOpened(id)}
          live
        />
      )}
      <CallDialog call={calls.find(({ id }) => id === opened)} keyName={keyName} onClose={() => setOpened(null)} />
    </section>
  );
}
