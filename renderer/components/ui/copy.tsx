import { Check, Copy } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { Button, IconButton } from "./button.tsx";
import { useNotify } from "./toasts.tsx";

const SHOWN_MS = 1_600;

/** Copies with feedback: `done` is true for a moment afterwards. */
export function useCopy(): { readonly done: boolean; copy(text: string): Promise<boolean> } {
  const t = useMessages();
  const notify = useNotify();
  const [times, setTimes] = useState(0);
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (times === 0) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [times]);
  const copy = async (text: string): Promise<boolean> => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      setTimes((before) => before + 1);
      return true;
    } catch {
      notify.showError(t.app.copyFailed);
      return false;
    }
  };
  return { done, copy };
}

interface CopyProps {
  readonly text: string;
  /** Accessible name that includes the copied item: "Copy base URL". */
  readonly label: string;
}

export function CopyIcon({ text, label }: CopyProps): ReactNode {
  const t = useMessages();
  const { done, copy } = useCopy();
  return (
    <>
      <IconButton label={label} onClick={() => void copy(text)}>
        {done ? <Check size={14} aria-hidden className="text-success-text" /> : <Copy size={14} aria-hidden />}
      </IconButton>
      <output className="sr-only">{done ? t.app.copied : ""}</output>
    </>
  );
}

export function CopyButton({
  text,
  label,
  look = "plain",
}: CopyProps & { readonly look?: "plain" | "primary" }): ReactNode {
  const t = useMessages();
  const { done, copy } = useCopy();
  return (
    <Button
      look={look}
      icon={done ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      onClick={() => void copy(text)}
    >
      <span aria-live="polite">{done ? t.app.copied : label}</span>
    </Button>
  );
}
