import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useSentence } from "../../../components/ui/toasts.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import type { CallFault } from "../calls/call-facts.ts";

/** Why a call failed: its code, and the gateway's own sentence. */
export function FaultNote({ fault }: { readonly fault: CallFault }): ReactNode {
  const t = useMessages();
  const sentence = useSentence()(fault.error);
  return (
    <div
      role="alert"
      className="flex gap-2.5 rounded-md bg-danger-soft px-3 py-2 text-danger-text forced-colors:border"
    >
      <CircleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">{fault.code === null ? t.app.failed : t.playground.failedWith(fault.code)}</p>
        <p className="whitespace-pre-wrap wrap-anywhere">{sentence}</p>
      </div>
    </div>
  );
}
