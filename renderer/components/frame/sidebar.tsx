import { Search, SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { modifier } from "../../lib/platform.ts";
import { routeHash, useRoute } from "../../lib/router.ts";
import { getEntry, entryGroups, getPage, type Entry, type Page } from "../../routes.ts";
import { Mark } from "../mark.tsx";
import { Dot } from "../ui/badge.tsx";
import { IconButton } from "../ui/button.tsx";
import { useOverlays } from "./overlays.ts";
import { PreferencesMenu } from "./preferences-menu.tsx";
import { StatusFoot } from "./status-foot.tsx";
import { useTroubles } from "./use-troubles.ts";

export function Sidebar(): ReactNode {
  const t = useMessages();
  const overlays = useOverlays();
  const { path } = useRoute();
  const current = getEntry(path);
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
        {entryGroups.map(({ id, entries }) => (
          <div key={entries[0]?.id}>
            {id !== undefined && (
              <p id={`group-${id}`} className="px-2 pb-1 text-meta text-faint">
                {t.groups[id]}
              </p>
            )}
            <ul aria-labelledby={id === undefined ? undefined : `group-${id}`} className="flex flex-col gap-px">
              {entries.map((entry) => (
                <SidebarLink key={entry.id} entry={entry} shown={entry === current ? getPage(path) : undefined} />
              ))}
            </ul>
          </div>
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

interface SidebarLinkProps {
  readonly entry: Entry;
  /** The page of this entry that is shown. */
  readonly shown: Page | undefined;
}

function SidebarLink({ entry, shown }: SidebarLinkProps): ReactNode {
  const t = useMessages();
  const all = useTroubles();
  const troubles = entry.id === "providers" ? all : null;
  const [page] = entry.pages;
  const current = shown !== undefined;
  return (
    <li>
      <a
        href={routeHash(page.id)}
        title={troubles?.text}
        aria-current={current ? (shown === page ? "page" : "true") : undefined}
        className={`flex h-7 items-center gap-2.5 rounded-md px-2 no-underline transition-colors ${
          current ? "bg-pressed font-medium text-text" : "text-muted hover:bg-hover hover:text-text"
        }`}
      >
        <page.icon size={15} aria-hidden className={current ? "text-accent-text" : ""} />
        <span className="grow">{t.pages[entry.id]}</span>
        {troubles !== null && <Dot tone={troubles.tone} />}
      </a>
    </li>
  );
}
