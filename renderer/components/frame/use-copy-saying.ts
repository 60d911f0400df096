import { useMessages } from "../../lib/i18n.tsx";
import { useCopy } from "../ui/copy.tsx";
import { useNotify } from "../ui/toasts.tsx";

/** Copies a text and announces it, where there is no button to show it. */
export function useCopySaying(): (text: string) => Promise<void> {
  const t = useMessages();
  const notify = useNotify();
  const { copy } = useCopy();
  return async (text) => {
    if (await copy(text)) notify.confirm(t.app.copied);
  };
}
