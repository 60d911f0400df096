import { useEffect, useEffectEvent, useState } from "react";

/** Whether the event is on the page itself; overlays do not take files for it. */
function isOnPage({ target }: Event): boolean {
  return target === document.body || (target instanceof Element && target.closest("main") !== null);
}

const carriesFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes("Files") === true;

/**
 * Accepts files dropped anywhere on the page, or pasted. Pasted text stays text, even if its source also provides a
 * picture of it.
 * @returns whether files are being dragged over the page
 */
export function useGivenFiles(take: (files: readonly File[]) => void): boolean {
  const [isDragging, setDragging] = useState(false);
  const onFiles = useEffectEvent(take);
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const onOver = (event: DragEvent): void => {
      const { dataTransfer } = event;
      const takes = carriesFiles(dataTransfer) && isOnPage(event);
      setDragging(takes);
      if (!takes) return;
      event.preventDefault();
      dataTransfer.dropEffect = "copy";
    };
    const onDrop = (event: DragEvent): void => {
      setDragging(false);
      if (!carriesFiles(event.dataTransfer) || !isOnPage(event)) return;
      event.preventDefault();
      onFiles([...event.dataTransfer.files]);
    };
    const onPaste = (event: ClipboardEvent): void => {
      const { clipboardData: data } = event;
      if (!carriesFiles(data) || data.types.includes("text/plain") || !isOnPage(event)) return;
      event.preventDefault();
      onFiles([...data.files]);
    };
    document.addEventListener("dragover", onOver, { signal });
    // Out of the window, or called off by Escape.
    document.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget === null && setDragging(false), {
      signal,
    });
    document.addEventListener("drop", onDrop, { signal });
    document.addEventListener("paste", onPaste, { signal });
    return () => listeners.abort();
  }, []);
  return isDragging;
}
