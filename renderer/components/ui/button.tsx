import type { ComponentProps, ReactNode } from "react";
import { NAMED } from "./tooltip.tsx";

type Look = "primary" | "plain" | "quiet" | "danger";

const looks: Record<Look, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover border-transparent font-medium",
  plain: "bg-raised text-text hover:bg-hover active:bg-pressed border-line-strong",
  quiet: "text-muted hover:bg-hover hover:text-text active:bg-pressed border-transparent",
  danger: "bg-danger text-on-danger hover:bg-danger-hover border-transparent font-medium",
};

export interface ButtonProps extends ComponentProps<"button"> {
  readonly look?: Look;
  readonly icon?: ReactNode;
  /** Whether it waits for a response: it stays in place, keeps the focus, and ignores presses. */
  readonly busy?: boolean;
}

export function buttonClass(look: Look): string {
  return `inline-flex h-7 shrink-0 items-center justify-center gap-1.5 rounded-md border px-2.5 whitespace-nowrap select-none transition-colors pointer-coarse:h-9 disabled:opacity-50 ${looks[look]}`;
}

export function Button({
  look = "plain",
  icon,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"]}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      className={`${buttonClass(look)} ${busy ? "opacity-60" : ""} ${className ?? ""}`}
    >
      {icon}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, "children" | "icon"> {
  /** Accessible name. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A button that shows its name on hover and focus. */
export function IconButton({ label, children, look = "quiet", className, ...rest }: IconButtonProps): ReactNode {
  return (
    <Button
      {...rest}
      {...{ [NAMED]: "" }}
      look={look}
      aria-label={label}
      className={`w-7 px-0! pointer-coarse:w-9 ${className ?? ""}`}
    >
      {children}
    </Button>
  );
}
