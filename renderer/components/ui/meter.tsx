import { Meter as Base } from "@base-ui/react/meter";
import type { ReactNode } from "react";

export interface QuotaMeterProps {
  readonly label: string;
  /** What it says in words, as "$1.20 of $5". */
  readonly text: string;
  /** Percent that is spent, and that requests in flight hold besides. */
  readonly spent: number;
  readonly held: number;
}

const WARN_PERCENT = 80;

/** A thin bar of spend against a limit; the part that is held for requests in flight is paler. */
export function QuotaMeter({ label, text, spent, held }: QuotaMeterProps): ReactNode {
  const tone = spent >= 100 ? "bg-danger" : spent >= WARN_PERCENT ? "bg-warning" : "bg-accent";
  return (
    <Base.Root value={Math.min(100, spent)} aria-label={label} getAriaValueText={() => text} className="block">
      <Base.Track className="relative block h-1 overflow-hidden rounded-full bg-pressed forced-colors:border">
        <span
          className={`absolute inset-0 origin-left opacity-35 transition-transform duration-300 ${tone}`}
          style={{ transform: `scaleX(${Math.min(100, spent + held) / 100})` }}
        />
        <span
          className={`absolute inset-0 origin-left transition-transform duration-300 forced-colors:bg-[Highlight] ${tone}`}
          style={{ transform: `scaleX(${Math.min(100, spent) / 100})` }}
        />
      </Base.Track>
    </Base.Root>
  );
}
