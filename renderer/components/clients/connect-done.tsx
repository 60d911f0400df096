import { useEffect, useRef, type ReactNode } from "react";
import type { AppliedClient, ClientView } from "../../../gateway/contract/clients.ts";
import { Button, buttonClass } from "../ui/button.tsx";
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

/** The key, or the link with the key in it, that an app takes from no file: shown this once. */
export function AppliedSecret({ applied }: Pick<DoneProps, "applied">): ReactNode {
  const t = useMessages();
  const { client, link, secret } = applied;
  const text = link ?? secret;
  if (text === null) return null;
  return (
    <div className="mb-3 rounded-md border border-line-strong bg-canvas p-3">
      <p className="text-muted">{link === null ? t.clients.secret(client.name) : t.clients.linkHelp(client.name)}</p>
      <code className="mt-1 block font-mono select-all wrap-anywhere" data-secret>
        {text}
      </code>
      <div className="mt-2.5 flex flex-wrap gap-2">
        {link !== null && window.desktop === undefined && (
          // The desktop app only opens web addresses, so there the link is copied.
          <a href={link} className={buttonClass("primary")}>
            {t.clients.openLink(client.name)}
          </a>
        )}
        <CopyButton
          text={text}
          label={link === null ? t.clients.copyKey : t.clients.copyLink}
          look={link === null || window.desktop !== undefined ? "primary" : "plain"}
        />
      </div>
    </div>
  );
}

/** Shown after the files were written; a real call verifies the connection. */
export function Done({ applied, client, onClose }: DoneProps): ReactNode {
  const t = useMessages();
  const { busy, verify } = useVerify(client);
  const begun = useRef(false);
  const panel = useRef<HTMLDivElement>(null);
  // The form that had the focus was removed.
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
        <AppliedSecret applied={applied} />
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
