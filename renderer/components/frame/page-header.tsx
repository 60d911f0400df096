import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";

export interface PageHeaderProps {
  readonly title: string;
  /** The page's one primary action; none where a page shows what was made elsewhere. */
  readonly action?: string;
  readonly onAction?: () => void;
  /** Quieter actions beside it. */
  readonly children?: ReactNode;
}

export function PageHeader({ title, action, onAction, children }: PageHeaderProps): ReactNode {
  return (
    <header className="mb-4 flex items-center gap-3">
      <h1 className="min-w-0 grow truncate text-title font-semibold tracking-[-0.01em]">{title}</h1>
      {children}
      {action !== undefined && (
        <Button look="primary" icon={<Plus size={14} aria-hidden />} onClick={onAction}>
          {action}
        </Button>
      )}
    </header>
  );
}
