import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash, useRoute } from "../../lib/router.ts";
import { pageAt, pages } from "../../routes.ts";
import { PreferencesMenu } from "./preferences-menu.tsx";

const entry = "flex h-14 flex-col items-center justify-center gap-0.5 text-meta no-underline -outline-offset-2";

const shown = pages.filter(({ inMenu }) => inMenu !== true);

/** The sidebar of narrow windows: the pages that one looks at, and a menu of the rest. */
export function BottomBar(): ReactNode {
  const t = useMessages();
  const current = pageAt(useRoute().path);
  return (
    <nav
      aria-label={t.app.navigation}
      className="grid shrink-0 auto-cols-fr grid-flow-col border-t border-line bg-canvas wide:hidden"
    >
      {shown.map((page) => (
        <a
          key={page.id}
          href={routeHash(page.id)}
          aria-current={page === current ? "page" : undefined}
          className={`${entry} ${page === current ? "font-medium text-accent-text" : "text-muted"}`}
        >
          <page.icon size={18} aria-hidden />
          {t.pages[page.id]}
        </a>
      ))}
      <PreferencesMenu
        complete
        trigger={
          <button
            type="button"
            className={`${entry} ${current?.inMenu === true ? "font-medium text-accent-text" : "text-muted"}`}
          >
            <Ellipsis size={18} aria-hidden />
            {t.app.more}
          </button>
        }
      />
    </nav>
  );
}
