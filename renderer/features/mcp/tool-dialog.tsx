import { type ReactNode } from "react";
import type { McpTool, McpView } from "../../../gateway/contract/mcp.ts";
import { Button } from "../../components/ui/button.tsx";
import { Modal } from "../../components/ui/dialog.tsx";
import { Empty } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { ToolArguments } from "./tool-arguments.tsx";
import { effectsInWords, PriceMark, getTitle } from "./tool-marks.tsx";
import { ToolResult } from "./tool-result.tsx";
import { useTry } from "./use-try.ts";

export interface ToolDialogProps {
  /** The address's tool; null for none. */
  readonly name: string | null;
  readonly view: McpView;
  readonly onClose: () => void;
}

/** A tool: its description, a form to try it, and its result. */
export function ToolDialog({ name, view, onClose }: ToolDialogProps): ReactNode {
  const t = useMessages();
  const tool = view.tools.find((each) => each.name === name);
  if (name === null) return <Modal open={false} onClose={onClose} title={t.mcp.tool} size="wide" />;
  return (
    <Modal
      open
      onClose={onClose}
      title={tool === undefined ? t.mcp.tool : getTitle(tool, t)}
      size="wide"
      returnFocus={rowInTable}
    >
      {tool === undefined ? (
        <Empty title={t.mcp.noSuchTool(name)} help="" action={<Button onClick={onClose}>{t.app.close}</Button>} />
      ) : (
        <OpenTool key={name} tool={tool} view={view} />
      )}
    </Modal>
  );
}

/** Returns the originating row. */
const rowInTable = (): HTMLElement | null => document.querySelector<HTMLElement>("main [data-row][data-active]");

function OpenTool({ tool, view }: { readonly tool: McpTool; readonly view: McpView }): ReactNode {
  const t = useMessages();
  const trying = useTry();
  const effects = effectsInWords(tool, t);
  return (
    <div className="px-4 pt-1 pb-4">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <code className="font-mono text-meta text-muted">{tool.name}</code>
        <PriceMark tool={tool} />
        {effects !== "" && <span className="text-meta text-muted">{effects}</span>}
      </div>
      <p className="mt-2 max-w-190 whitespace-pre-wrap text-muted wrap-anywhere">{tool.description}</p>
      <div className="mt-3 grid gap-x-6 gap-y-4 border-t border-line pt-3 min-[900px]:grid-cols-2">
        <ToolArguments tool={tool} trying={trying} />
        <ToolResult tool={tool} trying={trying} calls={view.calls} />
      </div>
    </div>
  );
}
