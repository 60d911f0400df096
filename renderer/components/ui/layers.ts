import { useId, useLayoutEffect, useSyncExternalStore } from "react";

/** Open layers over the page, the topmost last: dialogs, lists, menus and popups. */
let layers: readonly { readonly id: string; readonly dialog: boolean }[] = [];
const listeners = new Set<() => void>();

function put(next: typeof layers): void {
  layers = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a dialog is open, for what must not lie over its buttons. */
export function useDialogIsOpen(): boolean {
  return useSyncExternalStore(subscribe, () => layers.some(({ dialog }) => dialog));
}

/** Topmost layer when a key was pressed: the first handler may close it before the next one runs. */
const keyFor = new WeakMap<Event, string | undefined>();
let pressFor: string | undefined;
/** Pressed element that opens a list with the next frame, which a busy page draws late. */
let opening: Element | null = null;
let listens = false;

/** Listens before all other handlers. Auto-repeat of a held key is ignored. */
function listen(): void {
  if (listens) return;
  listens = true;
  window.addEventListener(
    "keydown",
    (event) => keyFor.set(event, event.repeat || isOpening() ? undefined : layers.at(-1)?.id),
    true,
  );
  window.addEventListener("pointerdown", onPress, true);
}

function onPress({ target }: Event): void {
  pressFor = layers.at(-1)?.id;
  const pressed = target instanceof Element ? target.closest("[aria-haspopup]") : null;
  opening = pressed;
  if (pressed === null) return;
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (opening === pressed) opening = null;
    }),
  );
}

const isOpening = (): boolean => opening?.isConnected === true && opening.ariaExpanded !== "true";

/** Used fields of a layer's close event. */
interface ClosingDetails {
  readonly reason: string;
  readonly event: Event;
  readonly cancel: () => void;
  readonly allowPropagation: () => void;
}

/**
 * Registers a layer while it is open.
 *
 * @param kind `dialog`: toasts avoid its buttons
 * @returns whether a close event was meant for another layer: Escape and outside clicks only apply to the topmost one,
 * which is then notified instead.
 */
export function useLayer(open: boolean, kind: "dialog" | "other"): (details: ClosingDetails) => boolean {
  const id = useId();
  // Before the browser takes the next key.
  useLayoutEffect(() => {
    if (!open) return;
    listen();
    put([...layers, { id, dialog: kind === "dialog" }]);
    return () => put(layers.filter((layer) => layer.id !== id));
  }, [open, kind, id]);
  return (details) => {
    const { reason, event } = details;
    let targetId: string | undefined = id;
    if (reason === "escape-key" && keyFor.has(event)) targetId = keyFor.get(event);
    else if (reason === "outside-press") targetId = pressFor;
    if (targetId === id) return false;
    details.cancel();
    details.allowPropagation();
    return true;
  };
}
