import type { ReactNode } from "react";

export interface PanelHeadProps {
  readonly title: string;
  readonly link?: { readonly label: string; readonly href: string };
  readonly children?: ReactNode;
}

/** Heading of a panel, with a link to the complete list. */
export function PanelHead({ title, link, children }: PanelHeadProps): ReactNode {
  return (
    <div className="flex min-h-10 items-center gap-2 border-b border-line py-1 pr-3.5 pl-3.5">
      <h2 className="min-w-0 grow truncate font-semibold">{title}</h2>
      {children}
      {link !== undefined && <a href={link.href}>{link.label}</a>}
    </div>
  );
}
