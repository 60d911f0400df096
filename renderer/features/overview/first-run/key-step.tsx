import { useEffect, useRef, type ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { routeHash } from "../../../lib/router.ts";
import type { ExampleKey } from "../example-key.ts";

/** Makes the key that apps call with, and shows it once: the examples of the page have it from then on. */
export function KeyStep({ exampleKey }: { readonly exampleKey: ExampleKey }): ReactNode {
  const t = useMessages();
  const { created, isFirst, busy, create } = exampleKey;
  const panel = useRef<HTMLDivElement>(null);
  // The button that held the focus is gone; the first thing to do now is to copy.
  useEffect(() => {
    if (created !== null && document.activeElement === document.body) panel.current?.querySelector("button")?.focus();
  }, [created]);
  if (created === null)
    return (
      <>
        <p className="mb-2.5 text-muted">{t.firstRun.keyHelp}</p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <Button look="primary" busy={busy} onClick={create}>
            {t.overview.createKey}
          </Button>
          <a href={routeHash("keys")}>{t.firstRun.allKeys}</a>
        </div>
      </>
    );
  return (
    <>
      <div
        ref={panel}
        className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line-strong bg-canvas px-3 py-2"
      >
        <code className="min-w-0 grow basis-52 font-mono select-all wrap-anywhere" data-secret>
          {created.secret}
        </code>
        <CopyButton text={created.secret} label={t.keys.copyKey} />
      </div>
      <p className="mt-2 text-meta text-muted">{isFirst ? t.firstRun.keyFirst : t.firstRun.keyOnce}</p>
    </>
  );
}
