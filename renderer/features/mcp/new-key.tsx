import { useEffect, useRef, type ReactNode } from "react";
import type { CreatedKey } from "../../../gateway/contract/key.ts";
import { Button } from "../../components/ui/button.tsx";
import { CopyButton } from "../../components/ui/copy.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface NewKeyProps {
  readonly created: CreatedKey;
  /** The client asks for it: it does not stand in the configuration. */
  readonly asked: boolean;
  readonly onStored: () => void;
}

/** A key that has just been made, shown until it is stored. */
export function NewKey({ created, asked, onStored }: NewKeyProps): ReactNode {
  const t = useMessages();
  const panel = useRef<HTMLDivElement>(null);
  // The button that made it is gone; the first thing to do now is to copy.
  useEffect(() => panel.current?.querySelector("button")?.focus(), []);
  const { name } = created.key;
  return (
    <div ref={panel} className="mt-3 rounded-md border border-line-strong bg-canvas p-3">
      <output className="block">{asked ? t.mcp.createdAsked(name) : t.mcp.created(name)}</output>
      <code aria-label={t.mcp.newKey} className="mt-1 block font-mono text-meta select-all wrap-anywhere" data-secret>
        {created.secret}
      </code>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <CopyButton text={created.secret} label={t.mcp.copyKey} look="primary" />
        <Button onClick={onStored}>{t.mcp.stored}</Button>
      </div>
    </div>
  );
}
