import { Columns2, FileArchive, Trash2, X } from "lucide-react";
import type { ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { CopyMenu } from "./copy-menu.tsx";
import type { MediaActions } from "./use-media-actions.ts";

export interface SelectionBarProps {
  readonly views: readonly MediaView[];
  readonly actions: MediaActions;
  readonly onDelete: (views: readonly MediaView[]) => void;
  readonly onClear: () => void;
  readonly onCompare: (id: string, other: string) => void;
}

/** Actions on several results. Stays visible while the grid scrolls. */
export function SelectionBar({ views, actions, onDelete, onClear, onCompare }: SelectionBarProps): ReactNode {
  const t = useMessages();
  const [first, second] = views;
  const pair =
    views.length === 2 && first !== undefined && second !== undefined && views.every(({ kind }) => kind !== "audio")
      ? ([first.id, second.id] as const)
      : null;
  return (
    <div
      role="toolbar"
      aria-label={t.library.selected(formatCount(views.length))}
      className="sticky top-0 z-20 flex min-h-10 flex-wrap items-center gap-1 rounded-t-md border-b border-line bg-accent-soft px-1.5 py-1"
    >
      <IconButton label={t.library.clear} onClick={onClear}>
        <X size={14} aria-hidden />
      </IconButton>
      <output className="numeric grow pr-2 font-medium text-accent-text">
        {t.library.selected(formatCount(views.length))}
      </output>
      {pair !== null && (
        <Button icon={<Columns2 size={14} aria-hidden />} onClick={() => onCompare(...pair)}>
          {t.library.compare}
        </Button>
      )}
      <Button icon={<FileArchive size={14} aria-hidden />} onClick={() => actions.exportZip(views)}>
        {t.library.export}
      </Button>
      <CopyMenu views={views} />
      <Button icon={<Trash2 size={14} aria-hidden />} onClick={() => onDelete(views)}>
        {t.library.delete}
      </Button>
    </div>
  );
}
