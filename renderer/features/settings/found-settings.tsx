import { useEffect, useRef, useState, type ReactNode } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Empty } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";

export interface FoundSettingsProps {
  readonly q: string;
  /** All sections, each with its name; their groups are elements of class `panel`. */
  readonly sections: readonly { readonly name: string; readonly content: ReactNode }[];
}

/** All settings whose group has every searched word, under the names of their sections. */
export function FoundSettings({ q, sections }: FoundSettingsProps): ReactNode {
  const t = useMessages();
  const list = useRef<HTMLDivElement>(null);
  const [isEmpty, setEmpty] = useState(false);
  // Groups are matched by their rendered text, in any language, and again when their content loads.
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const filter = (): void => setEmpty(!filterGroups(element, q));
    filter();
    const watcher = new MutationObserver(filter);
    watcher.observe(element, { childList: true, subtree: true, characterData: true });
    return () => watcher.disconnect();
  }, [q]);
  return (
    <>
      <div ref={list} className="flex flex-col gap-4">
        {sections.map(({ name, content }) => (
          <section key={name} aria-label={name} className="flex flex-col gap-4">
            <p className="text-meta text-faint">{name}</p>
            {content}
          </section>
        ))}
      </div>
      {isEmpty && (
        <Empty
          title={t.table.noMatch}
          help=""
          action={<Button onClick={() => replaceParams({ q: null })}>{t.table.clearFilter}</Button>}
        />
      )}
    </>
  );
}

/** Hides what does not match. @returns whether anything does */
function filterGroups(list: HTMLElement, q: string): boolean {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  let hasAny = false;
  for (const section of list.querySelectorAll<HTMLElement>(":scope > section")) {
    let hasOne = false;
    for (const group of section.querySelectorAll<HTMLElement>(".panel")) {
      const text = `${section.ariaLabel ?? ""} ${group.textContent}`.toLowerCase();
      const isFound = words.every((word) => text.includes(word));
      group.hidden = !isFound;
      hasOne ||= isFound;
    }
    section.hidden = !hasOne;
    hasAny ||= hasOne;
  }
  return hasAny;
}
