/* oxlint-disable jsx-a11y/prefer-tag-over-role -- The element of that role draws one bar, and this one has two. */
import type { ReactNode } from "react";

export interface QuotaMeterProps {
  readonly label: string;
  /** Value as text, such as "$1.20 of $5". */
  readonly text: string;
  /** Percent that is spent, and that requests in flight hold besides. */
  readonly spent: number;
  readonly reserved: number;
}

const WARN_PERCENT = 80;

/** A thin bar of spend against a limit; the part that is held for requests in flight is paler. */
export function QuotaMeter({ label, text, spent, reserved }: QuotaMeterProps): ReactNode {
  const tone = spent >= 100 ? "bg-danger" : spent >= WARN_PERCENT ? "bg-warning" : "bg-accent";
  return (
    <span
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, spent)}
      aria-valuetext={text}
      className="relative block h-1 overflow-hidden rounded-full bg-pressed forced-colors:border"
    >
      <span
        className={`absolute inset-0 origin-left opacity-35 transition-transform duration-300 ${tone}`}
        style={{ transform: `scaleX(${Math.min(100, spent + reserved) / 100})` }}
      />
      <span
        className={`absolute inset-0 origin-left transition-transform duration-300 forced-colors:bg-[Highlight] ${tone}`}
        style={{ transform: `scaleX(${Math.min(100, spent) / 100})` }}
      />
    </span>
  );
}
