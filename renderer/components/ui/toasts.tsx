import { Toast } from "@base-ui/react/toast";
import { CircleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { ControlError, UnreachableError } from "../../api/client.ts";
import { formatCodeInWords, formatDetailInWords, formatRefusalInWords } from "../../lib/error-sentence.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { Button, IconButton } from "./button.tsx";
import { useDialogIsOpen } from "./layers.ts";

/** How long an edit can be taken back. */
const OFFER_MS = 10_000;
const PLAIN_MS = 3_000;
const ERROR_MS = 12_000;

export interface ToastText {
  readonly title: string;
  readonly description?: string;
}

export interface Notify {
  confirm(title: string): void;
  /** Shows a toast with an undo for ten seconds. */
  undoable(title: string, undo: () => void): void;
  /** Shows a toast with an action for ten seconds. */
  offerAction(text: ToastText, label: string, act: () => void): void;
  showError(error: unknown): void;
}

/** The sentence of an error in the language of the pages. */
export function useSentence(): (error: unknown) => string {
  const speech = useSpeech();
  return (error) => {
    if (error instanceof UnreachableError) return speech.t.app.unreachable;
    if (error instanceof ControlError) return formatRefusalInWords(error, speech);
    return error instanceof Error ? error.message : String(error);
  };
}

export function useNotify(): Notify {
  const { add, close } = Toast.useToastManager();
  const t = useMessages();
  const sentenceOf = useSentence();
  const offered: Notify["offerAction"] = (text, label, act) => {
    const id = add({
      ...text,
      timeout: OFFER_MS,
      actionProps: {
        children: label,
        onClick: () => {
          close(id);
          act();
        },
      },
    });
  };
  return {
    confirm: (title) => void add({ title, timeout: PLAIN_MS }),
    offerAction: offered,
    undoable: (title, undo) => offered({ title }, t.app.undo, undo),
    showError: (error) =>
      void add({
        ...(error instanceof ControlError
          ? {
              title: formatCodeInWords(error.code, t.errors) ?? t.app.failed,
              description: formatDetailInWords(error, t.errors),
            }
          : { title: t.app.failed, description: sentenceOf(error) }),
        type: "error",
        priority: "high",
        timeout: ERROR_MS,
      }),
  };
}

export function ToastProvider({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Toast.Provider>
      {children}
      <Toast.Portal>
        <ToastViewport />
      </Toast.Portal>
    </Toast.Provider>
  );
}

/**
 * Toasts at the bottom of the window; with an open dialog above it, so that they do not cover its buttons and their own
 * Undo stays reachable.
 */
function ToastViewport(): ReactNode {
  const t = useMessages();
  const overDialog = useDialogIsOpen();
  return (
    <Toast.Viewport
      aria-label={t.app.notifications}
      className={`fixed z-50 flex w-[calc(100vw-24px)] max-w-90 flex-col gap-2 ${
        overDialog ? "top-2 left-1/2 -translate-x-1/2" : "right-3 bottom-3 max-wide:bottom-17"
      }`}
    >
      <ToastList />
    </Toast.Viewport>
  );
}

function ToastList(): ReactNode {
  const t = useMessages();
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection="right"
      className="overlay transition duration-150 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-2 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-center gap-2 py-1.5 pr-1.5 pl-3">
        {toast.type === "error" && (
          <CircleAlert size={15} aria-hidden className="mt-1 shrink-0 self-start text-danger-text" />
        )}
        <div className="min-w-0 grow py-1">
          <Toast.Title className="font-medium wrap-anywhere" />
          <Toast.Description className="text-muted wrap-anywhere" />
        </div>
        <Toast.Action render={<Button look="quiet" className="text-accent-text! font-medium" />} />
        <Toast.Close
          render={
            <IconButton label={t.app.dismiss}>
              <X size={14} aria-hidden />
            </IconButton>
          }
        />
      </Toast.Content>
    </Toast.Root>
  ));
}
