import type { ReactNode } from "react";
import { FailedNote } from "../../../components/ui/failed-note.tsx";
import { useSentence } from "../../../components/ui/toasts.tsx";
import type { CallFault } from "../../../api/v1/call-facts.ts";

/** Why a call failed: its code, and the gateway's own sentence. */
export function FaultNote({ fault }: { readonly fault: CallFault }): ReactNode {
  return <FailedNote code={fault.code} sentence={useSentence()(fault.error)} />;
}
