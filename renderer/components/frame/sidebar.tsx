import { Search, SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { modifier } from "../../lib/platform.ts";
import { routeHash, useRoute } from "../../lib/router.ts";
import { pageAt, pageGroups, type Page } from "../../routes.ts";
import { Mark } from "../mark.tsx";
import { IconButton } from "../ui/button.tsx";
import { useOverlays } from "./overlays.ts";
import { PreferencesMenu } from "./preferences-menu.tsx";
import { StatusFoot } from "./status-foot.tsx";

export function Sidebar(): ReactNode {
  const t = useMessages();
  const overlays = useOverlays();
  const current = pageAt(useRoute().path);
  return (
    <header className="flex w-(--sidebar) shrink-0 flex-col border-r border-line px-2 pt-3 pb-2.5 max-wide:hidden">
      <div className="flex h-8 items-center gap-2 px-2 font-semibold">
        <span className="text-accent-text">
          <Mark size={18} />
        </span>
        {t.app.name}
      </div>
      <button
        type="button"
        onClick={() => overlays.open("palette")}
        className="mt-2 mb-3 flex h-7 items-center gap-2 rounded-md border border-line px-2 text-meta text-faint transition-colors hover:border-line-strong hover:text-muted"
      >
        <Search size={13} aria-hidden />
        <span className="grow truncate text-left">{t.app.search}</span>
        <kbd className="text-faint">{modifier} K</kbd>
      </button>
      <nav aria-label={t.app.navigation} className="flex grow flex-col gap-3 overflow-y-auto">
        {pageGroups.map((group) => (
          <ul key={group[0]?.id} className="flex flex-col gap-px">
            {group.map((page) => (
              <SidebarLink key={page.id} page={page} current={page === current} />
            ))}
          </ul>
        ))}
      </nav>
      <div className="flex items-end gap-1 pt-2">
        <div className="min-w-0 grow">
          <StatusFoot />
        </div>
        <PreferencesMenu
          trigger={
            <IconButton label={t.app.preferences}>
              <SlidersHorizontal size={15} aria-hidden />
            </IconButton>
          }
        />
      </div>
    </header>
  );
}

function SidebarLink({ page, current }: { readonly page: Page; readonly current: boolean }): ReactNode {
  const t = useMessages();
  return (
    <li>
      <a
        href={routeHash(page.id)}
        aria-current={current ? "page" : undefined}
        className={`flex h-7 items-center gap-2.5 rounded-md px-2 no-underline transition-colors ${
          current ? "bg-pressed font-medium text-text" : "text-muted hover:bg-hover hover:text-text"
        }`}
      >
        <page.icon size={15} aria-hidden className={current ? "text-accent-text" : ""} />
        {t.pages[page.id]}
      </a>
    </li>
  );
}
