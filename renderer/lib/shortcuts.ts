import { useEffect, useEffectEvent } from "react";

/** Handlers by key: `?`, `n`, `mod+k`, or a sequence as `g o`. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const SEQUENCE_MS = 1_200;

/** `mod` is Ctrl, or Command on a Mac. Shift is part of the character (`?`), so it is not named. */
export function formatShortcutName(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return `${event.ctrlKey || event.metaKey ? "mod+" : ""}${event.altKey ? "alt+" : ""}${key}`;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select, [role=combobox]");
}

/** While a dialog or a menu is open, single keys are its own. A toast is a dialog by role, but takes no keys. */
function overlayIsOpen(): boolean {
  return document.querySelector('[role=dialog]:not([aria-modal="false"]), [role=alertdialog], [role=menu]') !== null;
}

/** Whether a single key is free for the page: no one took it, no text is typed and no overlay is open. */
export function takesKey(event: KeyboardEvent): boolean {
  const named = event.ctrlKey || event.metaKey || event.altKey;
  return !named && !event.defaultPrevented && !event.isComposing && !isTyping(event.target) && !overlayIsOpen();
}

/** Keyboard shortcuts of the whole page. Single keys rest while text is typed or an overlay is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const handlerOf = useEffectEvent((name: string) => shortcuts[name]);
  useEffect(() => {
    let first = "";
    let firstAt = 0;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const name = formatShortcutName(event);
      const global = name.startsWith("mod+");
      if (!global && (isTyping(event.target) || overlayIsOpen())) return;
      const sequence = event.timeStamp - firstAt < SEQUENCE_MS ? `${first} ${name}` : "";
      first = name;
      firstAt = event.timeStamp;
      const handler = (sequence === "" ? undefined : handlerOf(sequence)) ?? handlerOf(name);
      if (handler === undefined) return;
      event.preventDefault();
      first = "";
      handler();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
