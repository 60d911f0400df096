import type { ReactNode } from "react";

/** The dotted line of the time before. */
export function BeforeSwatch(): ReactNode {
  return (
    <svg aria-hidden width={14} height={9} viewBox="0 0 14 9" className="shrink-0 self-center text-faint">
      <path d="M0 4.5h14" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2 3" />
    </svg>
  );
}

/** The colour of a series, and whether its line is dashed. */
export function Swatch({ colour, dashed }: { readonly colour: string; readonly dashed: boolean }): ReactNode {
  return (
    <svg
      aria-hidden
      width={dashed ? 14 : 9}
      height={9}
      viewBox={dashed ? "0 0 14 9" : "0 0 9 9"}
      className="shrink-0 self-center forced-color-adjust-none"
    >
      {dashed ? (
        <path d="M0 4.5h5M9 4.5h5" stroke={colour} strokeWidth="2" />
      ) : (
        <rect width="9" height="9" rx="2" fill={colour} />
      )}
    </svg>
  );
}
