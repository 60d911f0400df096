import { KeyRound } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { KeyView } from "../../../gateway/contract/key.ts";
import { useKeys } from "../../api/queries.ts";
import { useOverlays } from "../../components/frame/overlays.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { TableMenu } from "../../components/table/table-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { EditKeyDialog } from "./edit-key-dialog.tsx";
import { useKeyColumns } from "./key-columns.tsx";
import { LimitDialog } from "../../components/limits/limit-dialog.tsx";
import { useKeyPeriods } from "./use-key-periods.ts";
import { KeyFilters } from "./key-filters.tsx";
import { filterKeys } from "./filter-keys.ts";
import { useKeyActions } from "./use-key-actions.ts";

export function KeysPage(): ReactNode {
  const t = useMessages();
  const overlays = useOverlays();
  const create = (): void => overlays.open("createKey");
  return (
    <>
      <PageHeader title={t.pages.keys} action={t.keys.create} onAction={create} />
      <section className="panel">
        <KeysTable onCreate={create} />
      </section>
    </>
  );
}

function KeysTable({ onCreate }: { readonly onCreate: () => void }): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const { data: keys, error, refetch } = useKeys();
  const [editing, setEditing] = useState<KeyView | null>(null);
  const [revoking, setRevoking] = useState<KeyView | null>(null);
  const used = useKeyPeriods(keys ?? NONE);
  const columns = useKeyColumns({ used, onEdit: setEditing, onLimit: limitKey, onRevoke: setRevoking });

  if (keys === undefined)
    return error === null ? <SkeletonRows /> : <Failure error={error} onRetry={() => void refetch()} />;
  if (keys.length === 0) {
    return (
      <Empty
        icon={<KeyRound size={24} aria-hidden />}
        title={t.keys.empty}
        help={t.keys.emptyHelp}
        action={<Button onClick={onCreate}>{t.keys.create}</Button>}
      />
    );
  }
  const rows = filterKeys(keys, params);
  return (
    <>
      <div className="flex min-h-10 flex-wrap items-center gap-1 border-b border-line px-1.5 py-1">
        <KeyFilters keys={keys} />
        <TableMenu table="keys" label={t.pages.keys} columns={columns} rows={rows} />
      </div>
      {rows.length === 0 ? (
        <Empty
          title={t.table.noMatch}
          help=""
          action={<Button onClick={() => replaceParams({ q: null, state: null })}>{t.table.clearFilter}</Button>}
        />
      ) : (
        <DataTable
          id="keys"
          label={t.pages.keys}
          columns={columns}
          rows={rows}
          rowKey={formatKeyId}
          onOpen={setEditing}
        />
      )}
      <EditKeyDialog target={editing} onClose={() => setEditing(null)} />
      <LimitDialog
        open={params.has("limit")}
        keys={keys}
        first={params.get("limit") ?? ""}
        onClose={() => replaceParams({ limit: null })}
      />
      <RevokeDialog target={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}

const NONE: readonly KeyView[] = [];

/** The dialog is in the address, so that rows of apps and the palette lead to it. */
const limitKey = ({ id }: KeyView): void => replaceParams({ limit: id });

const formatKeyId = ({ id }: KeyView): string => id;

function RevokeDialog({
  target,
  onClose,
}: {
  readonly target: KeyView | null;
  readonly onClose: () => void;
}): ReactNode {
  const t = useMessages();
  const { revoke } = useKeyActions();
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    if (target === null) return;
    setBusy(true);
    if (await revoke(target)) onClose();
    setBusy(false);
  };
  return (
    <Confirm
      open={target !== null}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t.keys.revokeTitle(target?.name ?? "")}
      description={
        target?.origin === "environment" ? `${t.keys.revokeHelp} ${t.keys.revokeEnvironment}` : t.keys.revokeHelp
      }
      action={t.keys.revoke}
      busy={busy}
    />
  );
}
