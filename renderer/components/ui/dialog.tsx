import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { Button } from "./button.tsx";
import { useLayer } from "./layers.ts";
import { NAMED } from "./tooltip.tsx";

const backdrop =
  "fixed inset-0 z-40 bg-backdrop transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0";
const viewport = "fixed inset-0 z-40 flex items-start justify-center overflow-y-auto scroll-pb-24 p-3";
// The room above is for messages: see ToastProvider.
const windowed = "scroll-pt-15 pt-[max(60px,8vh)] pb-6";
const popup =
  "overlay relative w-full outline-none transition duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0";

export interface ModalProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Max width 400, 480, 640 or 1,120 px; `full`: the whole window, for viewing media. */
  readonly size?: "small" | "medium" | "large" | "wide" | "full";
  /** `false`: only a button inside closes it, neither Escape nor a click outside. */
  readonly dismissible?: boolean;
  /** Element that gets the focus on close, if not the one that had it before. */
  readonly returnFocus?: () => HTMLElement | null;
  /** Keys of the dialog, wherever in it the focus is. */
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

const sizes = { small: "max-w-100", medium: "max-w-120", large: "max-w-160", wide: "max-w-280", full: "min-h-full" };

const CONTROL = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex='0']";

/** Close button of a dialog, the only control while its content is loading. */
const CLOSE = "data-close";

/** Returns the first control in the tab order; null without one. */
function findFirstControl(popup: HTMLElement | null): HTMLElement | null {
  return [...(popup?.querySelectorAll<HTMLElement>(CONTROL) ?? [])].find(({ tabIndex }) => tabIndex >= 0) ?? null;
}

/** Returns the element for the initial focus: the first control, unless its tooltip would show immediately. */
function findStart(popup: HTMLElement | null): HTMLElement | null | true {
  return findFirstControl(popup)?.matches(`[${NAMED}]`) === true ? popup : true;
}

/** Moves the focus from the close button to the first control once the content is loaded. */
function useFocusOnceLoaded(popup: RefObject<HTMLElement | null>): () => HTMLElement | null | true {
  const isEmpty = useRef(false);
  useEffect(() => {
    const start = findFirstControl(popup.current);
    if (!isEmpty.current || start === null || start.matches(`[${CLOSE}]`)) return;
    isEmpty.current = false;
    if (document.activeElement?.matches(`[${CLOSE}]`) !== true) return;
    (start.matches(`[${NAMED}]`) ? popup.current : start)?.focus();
  });
  return () => {
    isEmpty.current = findFirstControl(popup.current)?.matches(`[${CLOSE}]`) === true;
    return findStart(popup.current);
  };
}

/** A labelled dialog; focus moves in on open and returns on close. */
export function Modal({
  open,
  onClose,
  title,
  description,
  children,
  size = "medium",
  dismissible = true,
  returnFocus,
  onKeyDown,
}: ModalProps): ReactNode {
  const t = useMessages();
  const inside = useRef<HTMLDivElement>(null);
  const findInitialFocus = useFocusOnceLoaded(inside);
  const isForOther = useLayer(open, "dialog");
  return (
    <Dialog.Root
      open={open}
      disablePointerDismissal={!dismissible}
      onOpenChange={(next, details) => {
        if (next || isForOther(details)) return;
        if (dismissible) onClose();
        else details.cancel();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={backdrop} />
        <Dialog.Viewport className={size === "full" ? viewport : `${viewport} ${windowed}`}>
          <Dialog.Popup
            ref={inside}
            className={`${popup} ${sizes[size]}`}
            initialFocus={findInitialFocus}
            finalFocus={returnFocus}
            onKeyDown={onKeyDown}
          >
            <div className="px-4 pt-4 pr-12">
              <Dialog.Title className="text-lead font-semibold wrap-anywhere">{title}</Dialog.Title>
              {description !== undefined && (
                <Dialog.Description className="mt-1 text-muted">{description}</Dialog.Description>
              )}
            </div>
            {children}
            {/* Last in order, so that focus starts in the content. */}
            {dismissible && (
              <Dialog.Close
                render={
                  // Without a name on hover: Escape would close that first.
                  <Button
                    look="quiet"
                    aria-label={t.app.close}
                    {...{ [CLOSE]: "" }}
                    className="absolute! top-3 right-3 w-7 px-0!"
                  >
                    <X size={15} aria-hidden />
                  </Button>
                }
              />
            )}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The row of buttons at a dialog's foot; it stays in sight while a long dialog is scrolled. */
export function ModalFooter({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="sticky -bottom-6 z-10 mt-4 flex flex-wrap items-center justify-end gap-2 rounded-b-lg border-t max-wide:*:grow border-line bg-raised px-4 py-3">
      {children}
    </div>
  );
}

export interface ConfirmProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly title: string;
  readonly description: ReactNode;
  readonly action: string;
  readonly busy: boolean;
  /** Label of the cancel button, if "Cancel" could be mistaken for the action itself. */
  readonly leave?: string;
  /** `primary` for what costs money and destroys nothing. */
  readonly look?: "danger" | "primary";
}

/** Confirmation, only for irreversible actions. */
export function Confirm({
  open,
  onClose,
  onConfirm,
  title,
  description,
  action,
  busy,
  leave,
  look = "danger",
}: ConfirmProps): ReactNode {
  const t = useMessages();
  const isForOther = useLayer(open, "dialog");
  return (
    <AlertDialog.Root open={open} onOpenChange={(next, details) => !next && !isForOther(details) && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdrop} />
        <AlertDialog.Viewport className={`${viewport} ${windowed}`}>
          <AlertDialog.Popup className={`${popup} ${sizes.small}`}>
            <div className="px-4 pt-4">
              <AlertDialog.Title className="text-lead font-semibold wrap-anywhere">{title}</AlertDialog.Title>
              <AlertDialog.Description className="mt-1 text-muted">{description}</AlertDialog.Description>
            </div>
            <ModalFooter>
              <AlertDialog.Close render={<Button>{leave ?? t.app.cancel}</Button>} />
              <Button look={look} onClick={onConfirm} busy={busy}>
                {action}
              </Button>
            </ModalFooter>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
