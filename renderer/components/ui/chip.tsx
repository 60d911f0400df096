import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";

export interface FilterChipProps {
  readonly pressed: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** A filter that is on or off. */
export function FilterChip({ pressed, onPress, children }: FilterChipProps): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={`h-6 rounded-full border px-2.5 text-meta whitespace-nowrap transition-colors pointer-coarse:h-8 ${
        pressed
          ? "border-accent bg-accent-soft text-accent-text"
          : "border-line text-muted hover:border-line-strong hover:text-text"
      }`}
    >
      {children}
    </button>
  );
}

/** An active filter with a button to remove it. */
export function ActiveFilter({
  label,
  onRemove,
}: {
  readonly label: string;
  readonly onRemove: () => void;
}): ReactNode {
  const t = useMessages();
  return (
    <span className="inline-flex h-6 min-w-0 items-center gap-0.5 rounded-full border border-accent bg-accent-soft pointer-coarse:h-8 pl-2.5 text-meta text-accent-text">
      <span className="truncate">{label}</span>
      <button
        type="button"
        aria-label={t.table.removeFilter(label)}
        onClick={onRemove}
        className="-my-px -mr-px flex size-6 shrink-0 items-center justify-center rounded-full hover:bg-pressed pointer-coarse:size-8"
      >
        <X size={12} aria-hidden />
      </button>
    </span>
  );
}
