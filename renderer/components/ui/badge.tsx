import type { ReactNode } from "react";

export type Tone = "neutral" | "success" | "warning" | "danger" | "info";

const tones: Record<Tone, string> = {
  neutral: "bg-pressed text-muted",
  success: "bg-success-soft text-success-text",
  warning: "bg-warning-soft text-warning-text",
  danger: "bg-danger-soft text-danger-text",
  info: "bg-info-soft text-info-text",
};

const dots: Record<Tone, string> = {
  neutral: "bg-faint",
  success: "bg-success",
  warning: "bg-warning",
  danger: "bg-danger",
  info: "bg-info",
};

export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <span
      className={`inline-flex h-5 shrink-0 items-center rounded-sm px-1.5 text-meta whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}

/** A state as a dot, always next to its text, because colour is never the only sign. */
export function Dot({ tone }: { readonly tone: Tone }): ReactNode {
  return (
    <span aria-hidden className={`inline-block size-2 shrink-0 rounded-full forced-colors:border ${dots[tone]}`} />
  );
}
