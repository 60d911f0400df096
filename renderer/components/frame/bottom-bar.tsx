import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash, useRoute } from "../../lib/router.ts";
import { entries, getEntry, getPage } from "../../routes.ts";
import { Dot } from "../ui/badge.tsx";
import { PreferencesMenu } from "./preferences-menu.tsx";
import { useTroubles } from "./use-troubles.ts";

const item = "flex h-14 flex-col items-center justify-center gap-0.5 text-meta no-underline -outline-offset-2";

const shown = entries.filter(({ inBar }) => inBar === true);

/** The sidebar of narrow windows: the entries that one looks at, and a menu of the rest. */
export function BottomBar(): ReactNode {
  const t = useMessages();
  const { path } = useRoute();
  const current = getEntry(path);
  // Providers are in its menu.
  const troubles = useTroubles();
  return (
    <nav
      aria-label={t.app.navigation}
      className="grid shrink-0 auto-cols-fr grid-flow-col border-t border-line bg-canvas wide:hidden"
    >
      {shown.map(({ id, pages: [page] }) => (
        <a
          key={id}
          href={routeHash(page.id)}
          aria-current={id === current?.id ? (page === getPage(path) ? "page" : "true") : undefined}
          className={`${item} ${id === current?.id ? "font-medium text-accent-text" : "text-muted"}`}
        >
          <page.icon size={18} aria-hidden />
          {t.pages[id]}
        </a>
      ))}
      <PreferencesMenu
        complete
        trigger={
          <button
            type="button"
            title={troubles?.text}
            className={`${item} ${current !== undefined && !shown.includes(current) ? "font-medium text-accent-text" : "text-muted"}`}
          >
            <span className="relative">
              <Ellipsis size={18} aria-hidden />
              {troubles !== null && (
                <span className="absolute -top-0.5 -right-1.5 flex">
                  <Dot tone={troubles.tone} />
                </span>
              )}
            </span>
            {t.app.more}
          </button>
        }
      />
    </nav>
  );
}
