import type { ReactNode } from "react";

/** The mark: an arched gate. Drawn on a grid of 16, so that it is sharp at 16 px. */
export function Mark({ size = 16 }: { readonly size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d="M2.3 14.2V7.5a5.7 5.7 0 0 1 11.4 0v6.7" />
      <path d="M6.1 14.2V5.9M9.9 14.2V5.9M2.3 9.6h11.4" />
    </svg>
  );
}
