import { Blocks } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import type { McpTool } from "../../../gateway/contract/mcp.ts";
import { quietColumn } from "../../components/table/column-kinds.tsx";
import type { Column } from "../../components/table/column.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Empty } from "../../components/ui/states.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { effectsInWords, isPaid, PriceMark, getTitle } from "./tool-marks.tsx";

const toolName = ({ name }: McpTool): string => name;
const openTool = ({ name }: McpTool): void => replaceParams({ tool: name });

/** All tools of the server; a row opens its form. */
export function ToolTable({ tools }: { readonly tools: readonly McpTool[] }): ReactNode {
  const t = useMessages();
  const columns = useToolColumns();
  return (
    <section className="panel">
      <div className="flex min-h-10 items-center gap-2 border-b border-line py-1 pr-1.5 pl-3.5">
        <h2 className="font-semibold">{t.mcp.tools}</h2>
        <span className="numeric grow text-meta text-faint">{t.mcp.toolCount(formatCount(tools.length))}</span>
        <TableMenu table="mcp-tools" label={t.mcp.tools} columns={columns} rows={tools} />
      </div>
      {tools.length === 0 ? (
        <Empty icon={<Blocks size={24} aria-hidden />} title={t.mcp.noTools} help={t.mcp.noToolsHelp} />
      ) : (
        <DataTable
          id="mcp-tools"
          label={t.mcp.tools}
          columns={columns}
          rows={tools}
          rowKey={toolName}
          onOpen={openTool}
        />
      )}
    </section>
  );
}

function useToolColumns(): readonly Column<McpTool>[] {
  const t = useMessages();
  return useMemo(
    () => [
      {
        id: "tool",
        label: t.mcp.tool,
        track: "minmax(120px, 1.2fr)",
        essential: true,
        cell: (row) => <span title={row.name}>{getTitle(row, t)}</span>,
        text: (row) => getTitle(row, t),
      },
      {
        id: "name",
        label: t.mcp.name,
        track: "minmax(136px, 0.9fr)",
        from: 640,
        cell: (row) => <code className="font-mono text-meta text-muted">{row.name}</code>,
        text: (row) => row.name,
      },
      quietColumn({ id: "does", label: t.mcp.does, track: "minmax(160px, 3fr)", from: 860 }, (row) => row.description),
      quietColumn({ id: "marks", label: t.mcp.marks, track: "minmax(204px, 0.7fr)", from: 480 }, (row) =>
        effectsInWords(row, t),
      ),
      {
        id: "price",
        label: t.mcp.price,
        track: "52px",
        essential: true,
        cell: (row) => <PriceMark tool={row} />,
        text: (row) => (isPaid(row) ? t.mcp.paid : t.mcp.free),
      },
    ],
    [t],
  );
}
