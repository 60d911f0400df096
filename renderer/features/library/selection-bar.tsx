import { FileArchive, Link, Trash2, X } from "lucide-react";
import type { ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import type { MediaActions } from "./use-media-actions.ts";

export interface SelectionBarProps {
  readonly views: readonly MediaView[];
  readonly actions: MediaActions;
  readonly onDelete: (views: readonly MediaView[]) => void;
  readonly onClear: () => void;
}

/** What can be done with several results at once. It stays in sight while the grid scrolls. */
export function SelectionBar({ views, actions, onDelete, onClear }: SelectionBarProps): ReactNode {
  const t = useMessages();
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
      <Button icon={<FileArchive size={14} aria-hidden />} onClick={() => actions.exportZip(views)}>
        {t.library.export}
      </Button>
      <Button icon={<Link size={14} aria-hidden />} onClick={() => actions.copyLinks(views)}>
        {t.library.copyLinks}
      </Button>
      <Button icon={<Trash2 size={14} aria-hidden />} onClick={() => onDelete(views)}>
        {t.library.delete}
      </Button>
    </div>
  );
}
