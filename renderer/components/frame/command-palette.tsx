import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { useStored } from "../../lib/stored.ts";
import { useLayer } from "../ui/layers.ts";
import type { OverlayName } from "./overlays.ts";
import type { Command, CommandGroup } from "./palette-groups.ts";
import { RECENT, remember, storedRecents } from "./recent-places.ts";
import { useCommands } from "./use-commands.ts";

export interface CommandPaletteProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onOpen: (name: OverlayName) => void;
}

/** Ctrl/Cmd-K: all pages, actions and items by name; the most recent first. */
export function CommandPalette({ open, onClose, onOpen }: CommandPaletteProps): ReactNode {
  const t = useMessages();
  const isForOther = useLayer(open, "other");
  return (
    <Dialog.Root open={open} onOpenChange={(next, details) => !next && !isForOther(details) && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Viewport className="fixed inset-0 z-40 flex items-start justify-center p-3 pt-[12vh]">
          <Dialog.Popup
            aria-label={t.app.search}
            className="overlay flex max-h-[min(420px,76dvh)] w-full max-w-135 flex-col overflow-hidden outline-none transition duration-100 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0"
          >
            <PaletteList onClose={onClose} onOpen={onOpen} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteList({ onClose, onOpen }: Omit<CommandPaletteProps, "open">): ReactNode {
  const t = useMessages();
  const [typed, setTyped] = useState("");
  const [stored] = useStored(RECENT);
  const recent = storedRecents(stored);
  const groups = useCommands(onOpen, typed, recent);
  const run = (command: Command): void => {
    // A search without its text is not worth remembering.
    if (!command.value.startsWith("search-")) remember(command.value);
    onClose();
    command.run();
  };
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      value={typed}
      onValueChange={setTyped}
      itemToStringValue={(command: Command) => command.label}
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex h-11 shrink-0 items-center gap-2.5 border-b border-line px-3.5">
        <Search size={15} aria-hidden className="text-faint" />
        <Autocomplete.Input
          aria-label={t.palette.field}
          placeholder={t.palette.field}
          className="h-full min-w-0 grow bg-transparent text-lead outline-none placeholder:text-faint"
        />
        <Dialog.Close className="sr-only">{t.app.close}</Dialog.Close>
      </div>
      <Autocomplete.Empty className="px-2.5 text-muted not-empty:py-6">{t.palette.empty}</Autocomplete.Empty>
      <Autocomplete.List className="min-h-0 scroll-py-1.5 overflow-y-auto not-empty:p-1.5">
        {(group: CommandGroup) => (
          <Autocomplete.Group key={group.value} items={group.items} className="not-last:mb-1.5">
            <Autocomplete.GroupLabel className="px-2.5 pt-1 pb-1 text-meta text-faint">
              {group.value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(command: Command) => (
                <Autocomplete.Item
                  key={command.value}
                  value={command}
                  onClick={() => run(command)}
                  className="flex h-8 items-center gap-2.5 rounded-md px-2.5 outline-none select-none pointer-coarse:h-10 data-highlighted:bg-hover"
                >
                  <command.icon size={15} aria-hidden className="shrink-0 text-muted" />
                  <span className="min-w-0 grow truncate">{command.label}</span>
                  {command.hint !== undefined && <kbd className="shrink-0 text-meta text-faint">{command.hint}</kbd>}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
