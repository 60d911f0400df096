import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";

export interface FailedNoteProps {
  /** Error code of the gateway; null if it did not respond. */
  readonly code: string | null;
  /** Message, possibly from outside: shown verbatim. */
  readonly sentence: string;
}

/** Why a call failed, shown in place of its response. */
export function FailedNote({ code, sentence }: FailedNoteProps): ReactNode {
  const t = useMessages();
  return (
    <div
      role="alert"
      className="flex gap-2.5 rounded-md bg-danger-soft px-3 py-2 text-danger-text forced-colors:border"
    >
      <CircleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">{code === null ? t.app.failed : t.app.failedWith(code)}</p>
        <p className="whitespace-pre-wrap wrap-anywhere">{sentence}</p>
      </div>
    </div>
  );
}
