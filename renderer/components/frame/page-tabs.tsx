import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { usePlace } from "./place.ts";

/**
 * The pages of one entry. They are links, because each has its own address, title and history; a tablist would promise
 * arrow keys that switch panels.
 */
export function PageTabs(): ReactNode {
  const t = useMessages();
  const { page, entry, tabs } = usePlace();
  return (
    <nav aria-label={t.pages[entry]} className="mt-1.5 border-b border-line">
      <ul className="-mb-px flex gap-4">
        {tabs.map((tab) => (
          <li key={tab}>
            <a
              href={routeHash(tab)}
              aria-current={tab === page ? "page" : undefined}
              className={`flex h-8 items-center border-b-2 no-underline transition-colors pointer-coarse:h-10 ${
                tab === page
                  ? "border-accent font-medium text-text"
                  : "border-transparent text-muted hover:border-line-strong hover:text-text"
              }`}
            >
              {t.pages[tab]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
