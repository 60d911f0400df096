import { useEffect, useRef, type ReactNode } from "react";
import type { AppliedClient, ClientView } from "../../../gateway/contract/clients.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy.tsx";
import { ModalFooter } from "../ui/dialog.tsx";
import { SkeletonRows } from "../ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { CheckResult } from "./check-result.tsx";
import { FirstWordsLine } from "./first-words-line.tsx";
import { firstWords } from "./first-words.ts";
import { useVerify } from "./use-clients.ts";

export interface DoneProps {
  readonly applied: AppliedClient;
  /** Current view of the client: it carries the check's result. */
  readonly client: ClientView;
  readonly onClose: () => void;
}

/** It is written; a real call says whether it works. */
export function Done({ applied, client, onClose }: DoneProps): ReactNode {
  const t = useMessages();
  const { busy, verify } = useVerify(client);
  const begun = useRef(false);
  const panel = useRef<HTMLDivElement>(null);
  // The form that held the focus is gone.
  useEffect(() => panel.current?.querySelector("button")?.focus(), []);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void verify();
  });
  const checks = busy ? [] : (client.connected?.checks ?? []);
  const command = applied.client.connected?.parts.includes("models") === true ? firstWords(client) : null;
  return (
    <div ref={panel}>
      <div className="px-4 pt-3">
        {applied.secret !== null && (
          <div className="mb-3 rounded-md border border-line-strong bg-canvas p-3">
            <p className="text-muted">{t.clients.secret(client.name)}</p>
            <code className="mt-1 block font-mono select-all wrap-anywhere" data-secret>
              {applied.secret}
            </code>
            <div className="mt-2.5">
              <CopyButton text={applied.secret} label={t.clients.copyKey} look="primary" />
            </div>
          </div>
        )}
        {busy && <SkeletonRows rows={2} />}
        <output className="block">
          {busy && <span className="sr-only">{t.clients.verifying}</span>}
          {checks.map((check) => (
            <CheckResult key={check.part} check={check} />
          ))}
        </output>
        {command !== null && (
          <div className="mt-3">
            <p className="mb-1 text-muted">{t.clients.tryIt}</p>
            <FirstWordsLine command={command} />
          </div>
        )}
      </div>
      <ModalFooter>
        <Button busy={busy} onClick={() => void verify()}>
          {t.clients.verify}
        </Button>
        <Button look={applied.secret === null ? "primary" : "plain"} onClick={onClose}>
          {applied.secret === null ? t.clients.close : t.clients.stored}
        </Button>
      </ModalFooter>
    </div>
  );
}
