import { useQueryClient } from "@tanstack/react-query";
import { Ellipsis, FileSearch, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useGateway } from "../../api/gateway.tsx";
import { useHistory } from "../../api/history-queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { Menu, MenuItem } from "../../components/ui/menu.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { ImportDialog } from "./import-dialog.tsx";

/** Refetches everything that depends on imports. */
function useRenew(): () => Promise<unknown> {
  const cache = useQueryClient();
  const { history, usage, whatIf } = queryNames;
  return () => Promise.all([history, usage, whatIf].map((name) => cache.invalidateQueries({ queryKey: [name] })));
}

/** Finds agents' logs and imports them. */
export function FindLogs({ look = "plain" }: { readonly look?: "primary" | "plain" }): ReactNode {
  const t = useMessages();
  const [finding, setFinding] = useState(false);
  const renew = useRenew();
  return (
    <>
      <Button look={look} icon={<FileSearch size={14} aria-hidden />} onClick={() => setFinding(true)}>
        {t.history.find}
      </Button>
      <ImportDialog open={finding} onClose={() => setFinding(false)} onImported={renew} />
    </>
  );
}

/** Imports logs again, or deletes the imported usage. */
export function LogsMenu(): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const notify = useNotify();
  const { busy, run } = useBusy();
  const renew = useRenew();
  const { data: view } = useHistory();
  const [asking, setAsking] = useState(false);
  if (view === undefined || view.agents.length === 0) return null;
  const remove = (): Promise<unknown> =>
    run(async () => {
      await client.call("removeHistory");
      await renew();
      setAsking(false);
      notify.confirm(t.history.removed);
    });
  return (
    <>
      <FindLogs />
      <Menu
        trigger={
          <IconButton label={t.history.more}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem danger icon={<Trash2 size={14} aria-hidden />} onSelect={() => setAsking(true)}>
          {t.history.remove}
        </MenuItem>
      </Menu>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
        title={t.history.remove}
        description={t.history.removeHelp}
        action={t.history.remove}
        busy={busy}
      />
    </>
  );
}
