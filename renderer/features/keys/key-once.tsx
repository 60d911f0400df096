import { useEffect, useRef, type ReactNode } from "react";
import type { CreatedKey } from "../../../gateway/contract/key.ts";
import { useGatewayState } from "../../api/queries.ts";
import { Button } from "../../components/ui/button.tsx";
import { CopyButton, CopyIcon } from "../../components/ui/copy.tsx";
import { ModalFooter } from "../../components/ui/dialog.tsx";
import { useMessages } from "../../lib/i18n.tsx";

/** The only place where a whole key is shown. */
export function KeyOnce({
  created,
  onStored,
}: {
  readonly created: CreatedKey;
  readonly onStored: () => void;
}): ReactNode {
  const t = useMessages();
  const { data: state } = useGatewayState();
  const panel = useRef<HTMLDivElement>(null);
  // The form that held the focus is gone; the first thing to do now is to copy.
  useEffect(() => panel.current?.querySelector("button")?.focus(), []);

  const baseUrl = `${state?.url ?? location.origin}/v1`;
  const environment = `export OPENAI_BASE_URL=${baseUrl}\nexport OPENAI_API_KEY=${created.secret}`;
  return (
    <div ref={panel}>
      <div className="px-4 pt-3">
        <div className="rounded-md border border-line-strong bg-canvas p-3">
          <p className="mb-1 text-meta text-faint">{created.key.name}</p>
          <code className="block font-mono select-all wrap-anywhere" data-secret>
            {created.secret}
          </code>
          <div className="mt-3">
            <CopyButton text={created.secret} label={t.keys.copyKey} look="primary" />
          </div>
        </div>
        <div className="mt-3 flex items-center gap-2">
          <h3 className="grow text-meta text-faint">{t.keys.environment}</h3>
          <CopyIcon text={environment} label={t.keys.copyEnvironment} />
        </div>
        <pre className="overflow-hidden rounded-md border border-line bg-canvas px-3 py-2 font-mono text-meta whitespace-pre-wrap wrap-anywhere text-muted">
          {`export OPENAI_BASE_URL=${baseUrl}\nexport OPENAI_API_KEY=${created.key.hint}`}
        </pre>
      </div>
      <ModalFooter>
        <Button onClick={onStored}>{t.keys.stored}</Button>
      </ModalFooter>
    </div>
  );
}
