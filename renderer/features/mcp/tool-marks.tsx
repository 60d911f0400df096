import type { ReactNode } from "react";
import type { McpTool } from "../../../gateway/contract/mcp.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { getName } from "../../lib/names.ts";
import type { Messages } from "../../locales/messages.ts";

export const isPaid = ({ capability }: McpTool): boolean => capability !== null;

/** Returns the tool's title in the page's language, else the server's. */
export const getTitle = ({ name, title }: McpTool, { mcp: { titles } }: Messages): string =>
  Object.hasOwn(titles, name) ? getName(titles, name) : title;

/** Whether a call costs money. */
export function PriceMark({ tool }: { readonly tool: McpTool }): ReactNode {
  const t = useMessages();
  const paid = isPaid(tool);
  return (
    <span title={paid ? t.mcp.paidHelp : t.mcp.freeHelp}>
      <Badge tone={paid ? "info" : "neutral"}>{paid ? t.mcp.paid : t.mcp.free}</Badge>
    </span>
  );
}

/** Describes the effects of a call beyond its response: "reads only · asks a provider". */
export function effectsInWords(tool: McpTool, { mcp: { effects } }: Messages): string {
  return [tool.read_only && effects.reads, tool.destructive && effects.ends, tool.open_world && effects.asks]
    .filter((each) => each !== false)
    .join(" · ");
}
