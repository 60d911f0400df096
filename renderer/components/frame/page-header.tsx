import { CircleQuestionMark, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { useRoute } from "../../lib/router.ts";
import { guides } from "./guides.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { NAMED } from "../ui/tooltip.tsx";

export interface PageHeaderProps {
  readonly title: string;
  /** The page's one primary action; none where a page shows what was made elsewhere. */
  readonly action?: string;
  readonly onAction?: () => void;
  /** Quieter actions beside it. */
  readonly children?: ReactNode;
}

export function PageHeader({ title, action, onAction, children }: PageHeaderProps): ReactNode {
  const t = useMessages();
  const { path } = useRoute();
  return (
    <header className="mb-4 flex items-center gap-3">
      <h1 className="min-w-0 grow truncate text-title font-semibold tracking-[-0.01em]">{title}</h1>
      {children}
      <a
        {...{ [NAMED]: "" }}
        href={`guide/${Object.entries(guides).find(([page]) => page === path)?.[1] ?? "index"}.html`}
        target="_blank"
        rel="noreferrer"
        aria-label={t.status.help}
        className={`${buttonClass("quiet")} w-7 px-0! pointer-coarse:w-9`}
      >
        <CircleQuestionMark size={16} aria-hidden />
      </a>
      {action !== undefined && (
        <Button look="primary" icon={<Plus size={14} aria-hidden />} onClick={onAction}>
          {action}
        </Button>
      )}
    </header>
  );
}
