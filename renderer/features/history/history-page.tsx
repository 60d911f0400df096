import { Ellipsis, FileSearch, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { HistoryView } from "../../../gateway/contract/history.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useHistory, useHistoryUsage } from "../../api/history-queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Button, IconButton } from "../../components/ui/button.tsx";
import { Confirm } from "../../components/ui/dialog.tsx";
import { Menu, MenuItem } from "../../components/ui/menu.tsx";
import { Empty, Failure, NoticeLine, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useBusy } from "../../components/ui/use-busy.ts";
import { formatCount, formatMoney } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { ownZone } from "../../lib/moment-words.ts";
import { useNow } from "../../lib/now.ts";
import { useRoute } from "../../lib/router.ts";
import { getQuery, shownIn } from "./history-address.ts";
import { HistoryFilters } from "./history-filters.tsx";
import { HistoryPlot } from "./history-plot.tsx";
import { HistoryStrip } from "./history-strip.tsx";
import { HistoryTable } from "./history-table.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { WhatIfPanel } from "./what-if-panel.tsx";

/** Usage of agents before and without Postern, from their own logs, and the cost estimate of a time on other models. */
export function HistoryPage(): ReactNode {
  const t = useMessages();
  const { data: view, error, refetch } = useHistory();
  const [finding, setFinding] = useState(false);
  const renew = useRenew();
  const find = (look: "primary" | "plain"): ReactNode => (
    <Button look={look} icon={<FileSearch size={14} aria-hidden />} onClick={() => setFinding(true)}>
      {t.history.find}
    </Button>
  );
  const imported = view !== undefined && view.agents.length > 0;
  return (
    <>
      <PageHeader title={t.pages.history}>
        {imported && (
          <>
            {find("plain")}
            <RemoveMenu onRemoved={renew} />
          </>
        )}
      </PageHeader>
      {view === undefined ? (
        <section className="panel">
          {error === null ? <SkeletonRows rows={8} /> : <Failure error={error} onRetry={() => void refetch()} />}
        </section>
      ) : imported ? (
        <Imported view={view} />
      ) : (
        <section className="panel mb-3">
          <Empty
            icon={<FileSearch size={24} aria-hidden />}
            title={t.history.empty}
            help={t.history.emptyHelp}
            action={find("primary")}
          />
        </section>
      )}
      {view !== undefined && <WhatIfPanel models={view.models} />}
      <ImportDialog open={finding} onClose={() => setFinding(false)} onImported={renew} />
    </>
  );
}

/** Has everything asked for again that hangs on what is imported. */
function useRenew(): () => Promise<unknown> {
  const cache = useQueryClient();
  const { history, historyUsage, whatIf } = queryNames;
  return () =>
    Promise.all([history, historyUsage, whatIf].map((name) => cache.invalidateQueries({ queryKey: [name] })));
}

function Imported({ view }: { readonly view: HistoryView }): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  const now = useNow();
  const zone = ownZone();
  const { by } = shownIn(params);
  const { data: usage, error, refetch, isPlaceholderData } = useHistoryUsage(getQuery(params, zone, now));
  if (usage === undefined) {
    return (
      <section className="panel mb-3">
        {error === null ? <SkeletonRows rows={8} /> : <Failure error={error} onRetry={() => void refetch()} />}
      </section>
    );
  }
  const { through_postern: ours } = usage;
  return (
    <div aria-busy={isPlaceholderData || undefined}>
      <p className="mb-3 text-meta text-muted">{t.history.note}</p>
      {view.damaged > 0 && (
        <div className="mb-3">
          <NoticeLine level="warning">{t.history.damaged(formatCount(view.damaged))}</NoticeLine>
        </div>
      )}
      {ours.requests > 0 && (
        <div className="mb-3">
          <NoticeLine level="info">{t.history.through(formatCount(ours.requests), formatMoney(ours.nano))}</NoticeLine>
        </div>
      )}
      <HistoryFilters params={params} several={view.agents.length > 1} />
      {usage.total.requests === 0 ? (
        <section className="panel mb-3">
          <Empty title={t.history.nothing} help={t.history.nothingHelp} />
        </section>
      ) : (
        <>
          <HistoryStrip total={usage.total} />
          <HistoryPlot usage={usage} />
          <HistoryTable usage={usage} by={by} />
        </>
      )}
    </div>
  );
}

function RemoveMenu({ onRemoved }: { readonly onRemoved: () => Promise<unknown> }): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const notify = useNotify();
  const { busy, run } = useBusy();
  const [asking, setAsking] = useState(false);
  const remove = (): Promise<unknown> =>
    run(async () => {
      await client.call("removeHistory");
      await onRemoved();
      setAsking(false);
      notify.said(t.history.removed);
    });
  return (
    <>
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
