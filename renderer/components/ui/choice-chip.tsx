import { ChevronDown, X } from "lucide-react";
import type { ReactNode } from "react";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "./menu.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface ChoiceChipProps {
  /** Name of the choice, such as "Status". */
  readonly label: string;
  /** The choice as text; null for all. */
  readonly chosen: string | null;
  readonly value: string;
  readonly choices: readonly { readonly id: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
  /** Absent if a choice is always required. */
  readonly onRemove?: () => void;
  /** A choice entered as text. */
  readonly other?: { readonly label: string; readonly onSelect: () => void };
}

/** A filter with several values: a chip that opens a menu; an active one has a remove button. */
export function ChoiceChip(props: ChoiceChipProps): ReactNode {
  const { label, chosen, value, choices, onChoose, onRemove, other } = props;
  const t = useMessages();
  const removable = chosen !== null && onRemove !== undefined;
  return (
    <span
      className={`inline-flex h-6 max-w-full min-w-0 items-center rounded-full border text-meta transition-colors pointer-coarse:h-8 ${
        removable
          ? "border-accent bg-accent-soft text-accent-text"
          : "border-line text-muted hover:border-line-strong hover:text-text"
      }`}
    >
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className={`-my-px inline-flex h-6 min-w-0 items-center gap-1 rounded-full pl-2.5 pointer-coarse:h-8 ${removable ? "pr-1" : "pr-1.5"}`}
          >
            <span className="truncate">{chosen === null ? label : `${label}: ${chosen}`}</span>
            {!removable && <ChevronDown size={12} aria-hidden className="shrink-0" />}
          </button>
        }
      >
        <MenuChoice label={label} value={value} choices={choices} onChoose={onChoose} closes />
        {other !== undefined && (
          <>
            <MenuSeparator />
            <MenuItem onSelect={other.onSelect}>{other.label}</MenuItem>
          </>
        )}
      </Menu>
      {removable && (
        <button
          type="button"
          aria-label={t.table.removeFilter(`${label}: ${chosen}`)}
          onClick={(event) => {
            // This button disappears with the filter; the focus moves to the chip.
            event.currentTarget.parentElement?.querySelector("button")?.focus();
            onRemove();
          }}
          className="-my-px flex size-6 shrink-0 items-center justify-center rounded-full hover:bg-pressed pointer-coarse:size-8"
        >
          <X size={12} aria-hidden />
        </button>
      )}
    </span>
  );
}
