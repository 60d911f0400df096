import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/ui/button.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface StepsProps {
  /** Position of the shown result in the list; -1 if it is not in it. */
  readonly place: number;
  readonly total: number;
  /** @param by -1 or 1 */
  readonly onStep: (by: number) => void;
}

/** Buttons for the previous and next result. */
export function Steps({ place, total, onStep }: StepsProps): ReactNode {
  const t = useMessages();
  return (
    <>
      <Step label={t.library.previous} possible={place > 0} onPress={() => onStep(-1)}>
        <ChevronLeft size={15} aria-hidden />
      </Step>
      <Step label={t.library.next} possible={place !== -1 && place < total - 1} onPress={() => onStep(1)}>
        <ChevronRight size={15} aria-hidden />
      </Step>
    </>
  );
}

interface StepProps {
  readonly label: string;
  readonly possible: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** The button keeps the focus at the end of the list, and has no tooltip, which Escape would close first. */
function Step({ label, possible, onPress, children }: StepProps): ReactNode {
  return (
    <Button
      aria-label={label}
      aria-disabled={!possible || undefined}
      onClick={possible ? onPress : undefined}
      className={`w-7 px-0! pointer-coarse:w-9 ${possible ? "" : "opacity-50"}`}
    >
      {children}
    </Button>
  );
}
