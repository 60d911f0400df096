import { useQueryClient } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { KeyProtectionView } from "../../../gateway/contract/maintenance.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useKeyProtection } from "../../api/maintenance-queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { Button } from "../../components/ui/button.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { Group } from "./setting.tsx";

/** Protection of the provider keys on the disk, and their move from the key file to the keychain. */
export function KeyProtectionPanel(): ReactNode {
  const t = useMessages();
  const { data: view, error, refetch } = useKeyProtection();
  return (
    <Group
      title={t.settings.keyProtection}
      help={t.settings.keyProtectionHelp}
      actions={view?.can_move === true && <MoveButton keychain={view.keychain ?? ""} />}
    >
      {view !== undefined ? (
        <Protections view={view} />
      ) : error === null ? (
        <SkeletonRows rows={1} />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
    </Group>
  );
}

function Protections({ view }: { readonly view: KeyProtectionView }): ReactNode {
  const { protectedBy } = useMessages().settings;
  if (view.encrypted_by.length === 0) return <p>{protectedBy.none(view.keychain)}</p>;
  return (
    <ul>
      {[...new Set(view.encrypted_by)].map((name) => (
        <li key={name}>{name === "file" ? protectedBy.file : protectedBy.keychain(name)}</li>
      ))}
    </ul>
  );
}

function MoveButton({ keychain }: { readonly keychain: string }): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const [asking, ask] = useState(false);
  const [busy, setBusy] = useState(false);
  const move = async (): Promise<void> => {
    setBusy(true);
    try {
      const view = await client.call("moveToKeychain");
      ask(false);
      notify.confirm(t.settings.movedToKeychain);
      cache.setQueryData([queryNames.keyProtection], view);
    } catch (error) {
      notify.showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button icon={<ShieldCheck size={14} aria-hidden />} onClick={() => ask(true)}>
        {t.settings.moveToKeychain}
      </Button>
      <Confirm
        open={asking}
        onClose={() => ask(false)}
        onConfirm={() => void move()}
        title={t.settings.moveToKeychainTitle(keychain)}
        description={t.settings.moveToKeychainHelp}
        action={t.settings.moveToKeychain}
        busy={busy}
        look="primary"
      />
    </>
  );
}
