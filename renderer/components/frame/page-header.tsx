import { CircleQuestionMark, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { guides } from "./guides.ts";
import { PageTabs } from "./page-tabs.tsx";
import { usePlace } from "./place.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { NAMED } from "../ui/tooltip.tsx";

export interface PageHeaderProps {
  /** Name of the page. If the page is one of several tabs, the name of its entry is shown instead. */
  readonly title: string;
  /** Label of the primary action; absent on pages that only show results. */
  readonly action?: string;
  readonly onAction?: () => void;
  /** Quieter actions next to it. */
  readonly children?: ReactNode;
}

export function PageHeader({ title, action, onAction, children }: PageHeaderProps): ReactNode {
  const t = useMessages();
  const { page, entry, tabs } = usePlace();
  const hasTabs = tabs.length > 1;
  return (
    <header className="mb-4">
      <div className="flex min-h-7 items-center gap-3 pointer-coarse:min-h-9">
        <h1 className="min-w-0 grow truncate text-title font-semibold tracking-[-0.01em]">
          {hasTabs ? t.pages[entry] : title}
        </h1>
        {children}
        <a
          {...{ [NAMED]: "" }}
          href={`guide/${guides[page]}.html`}
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
      </div>
      {hasTabs && <PageTabs />}
    </header>
  );
}
