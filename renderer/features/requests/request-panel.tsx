/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-interactions -- A dialog that is not modal: the element `dialog` is shown by its methods, this one by being there. */
import { Dialog } from "@base-ui/react/dialog";
import { ChevronDown, ChevronUp, Copy, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type ReactNode } from "react";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RunningRequest } from "../../../gateway/contract/requests.ts";
import { RequestTabs, type RequestTab } from "../../components/request/request-tabs.tsx";
import { RunningFacts } from "../../components/request/running.tsx";
import { copyForms, type CopyForm } from "../../components/request/use-copy-request.ts";
import { useRequestState } from "../../components/request/use-request.ts";
import { IconButton } from "../../components/ui/button.tsx";
import { useLayer } from "../../components/ui/layers.ts";
import { Menu, MenuItem } from "../../components/ui/menu.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useDebounced } from "../../lib/debounced.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { useMediaQuery } from "../../lib/media-query.ts";
import { takesKey } from "../../lib/shortcuts.ts";

export interface RequestPanelProps {
  readonly id: string;
  /** Receipt of the request, if the list has it. */
  readonly known: Receipt | null;
  /** State of the request while it runs; shown until it has a receipt. */
  readonly running: RunningRequest | undefined;
  readonly tab: RequestTab | null;
  /** Search text, which is marked. */
  readonly q: string;
  readonly onTab: (tab: RequestTab) => void;
  /** Goes on to the next row of the list, or back to the one before. */
  readonly onMove: (step: 1 | -1) => void;
  readonly onCopy: (receipt: Receipt, form: CopyForm) => void;
  readonly onClose: () => void;
  readonly onFilter: (params: Readonly<Record<string, string>>) => void;
}

/** Min width with room for the list next to the panel. */
const BESIDE = "(min-width: 1100px)";
/** Milliseconds on a row before its request is fetched, so that passing over it does nothing. */
const REST_MS = 120;

/** Row that had the keyboard focus before, and gets it back. */
const rowInTable = (): HTMLElement | null => document.querySelector<HTMLElement>("main [data-row][data-active]");

function leave(onClose: () => void): void {
  onClose();
  rowInTable()?.focus({ preventScroll: true });
}

/** A request in a panel next to the list, or above it if space is short. The list's key bindings stay active. */
export function RequestPanel(props: RequestPanelProps): ReactNode {
  const t = useMessages();
  const isSideBySide = useMediaQuery(BESIDE);
  const { onClose, onMove } = props;
  const popup = useRef<HTMLDivElement>(null);
  const isForOther = useLayer(!isSideBySide, "other");
  // Handles keys from the list too, and without focus, e.g. after opening a link.
  const onPageKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (!isSideBySide || !takesKey(event)) return;
    const { target } = event;
    const idle = target === document.body || (target instanceof HTMLElement && target.id === "content");
    const step = getStep(event.key);
    if (event.key === "Escape") leave(onClose);
    else if (idle && step !== 0) onMove(step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent): void => onPageKey(event);
    // Before the frame, whose j and k lead into the table.
    document.addEventListener("keydown", listener, { capture: true });
    return () => document.removeEventListener("keydown", listener, { capture: true });
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = getStep(event.key);
    if (step === 0 || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    // Ignores dialogs and menus opened from here, and leaves the arrows to scrollable elements.
    if (!(target instanceof HTMLElement) || !event.currentTarget.contains(target)) return;
    if (target.matches("input, textarea, select") || (event.key.startsWith("Arrow") && scrolls(target))) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(step);
  };

  if (!isSideBySide) {
    return (
      <Dialog.Root open onOpenChange={(open, details) => !open && !isForOther(details) && onClose()}>
        <Dialog.Portal>
          <Dialog.Popup
            ref={popup}
            aria-label={t.requests.details}
            initialFocus={popup}
            finalFocus={rowInTable}
            className="fixed inset-0 z-40 flex flex-col bg-surface outline-none"
            onKeyDown={onKeyDown}
          >
            <PanelContent {...props} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    );
  }
  return (
    <section
      role="dialog"
      aria-modal="false"
      aria-label={t.requests.details}
      tabIndex={-1}
      data-panel
      className="panel sticky top-3 flex h-[calc(100dvh-92px)] min-w-0 flex-col outline-none"
      onKeyDown={onKeyDown}
    >
      <PanelContent {...props} />
    </section>
  );
}

const getStep = (key: string): 0 | 1 | -1 =>
  key === "j" || key === "ArrowDown" ? 1 : key === "k" || key === "ArrowUp" ? -1 : 0;

/** Tells whether arrows scroll the focused element. */
const scrolls = (target: HTMLElement): boolean =>
  target.tabIndex >= 0 && target.scrollHeight > target.clientHeight + 1 && !target.matches("button, a");

function PanelContent(props: RequestPanelProps): ReactNode {
  const { id, known, running, tab, q, onTab, onMove, onCopy, onClose, onFilter } = props;
  const t = useMessages();
  const rested = useDebounced(id, REST_MS);
  const state = useRequestState(id, { known, isEnabled: running === undefined && (known === null || rested === id) });
  const { receipt, error, retry } = state;
  return (
    <>
      <header className="flex min-h-10 shrink-0 items-center gap-1 pt-1 pr-1.5 pl-4">
        <h2 className="min-w-0 grow truncate text-lead font-semibold" title={receipt?.model ?? running?.model}>
          {(receipt?.model ?? running?.model) || t.requests.details}
        </h2>
        {receipt !== null && (
          <Menu
            trigger={
              <IconButton label={t.requestLog.copyRequest}>
                <Copy size={15} aria-hidden />
              </IconButton>
            }
          >
            {copyForms.map((form) => (
              <MenuItem key={form} {...(form === "curl" && { hint: "C" })} onSelect={() => onCopy(receipt, form)}>
                {t.requestLog.copyAs[form]}
              </MenuItem>
            ))}
          </Menu>
        )}
        <IconButton label={t.requestLog.previous} aria-keyshortcuts="k" onClick={() => onMove(-1)}>
          <ChevronUp size={16} aria-hidden />
        </IconButton>
        <IconButton label={t.requestLog.next} aria-keyshortcuts="j" onClick={() => onMove(1)}>
          <ChevronDown size={16} aria-hidden />
        </IconButton>
        <IconButton label={t.app.close} onClick={() => leave(onClose)}>
          <X size={15} aria-hidden />
        </IconButton>
      </header>
      {receipt !== null ? (
        <RequestTabs {...{ receipt, state, tab, q, onTab, onFilter }} />
      ) : running !== undefined ? (
        <div className="overflow-y-auto px-4 pt-1 pb-4">
          <RunningFacts request={running} />
        </div>
      ) : error === null ? (
        <SkeletonRows rows={8} />
      ) : (
        <Failure error={error} onRetry={retry} />
      )}
    </>
  );
}
