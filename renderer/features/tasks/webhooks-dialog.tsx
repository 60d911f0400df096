import type { ReactNode } from "react";
import type { WebhooksView } from "../../../gateway/contract/tasks.ts";
import { useWebhooks } from "../../api/task-queries.ts";
import { Button } from "../../components/ui/button.tsx";
import { Modal } from "../../components/ui/dialog.tsx";
import { Moment, useAge } from "../../components/ui/figures.tsx";
import { Section } from "../../components/ui/section.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams } from "../../lib/router.ts";
import { DeliveryState } from "../../components/task/task-cells.tsx";
import { useReceivers } from "../../components/webhooks/use-receivers.ts";
import { WebhookSecret } from "../../components/webhooks/webhook-secret.tsx";

export interface WebhooksDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The secret that receivers check signatures with, the receivers that are off, and the newest callbacks. */
export function WebhooksDialog({ open, onClose }: WebhooksDialogProps): ReactNode {
  const t = useMessages();
  return (
    <Modal open={open} onClose={onClose} title={t.tasks.webhooks} description={t.tasks.webhooksHelp} size="large">
      <Webhooks />
    </Modal>
  );
}

function Webhooks(): ReactNode {
  const { data: view, error, refetch } = useWebhooks();
  if (view === undefined)
    return (
      <div className="pb-4">
        {error === null ? <SkeletonRows /> : <Failure error={error} onRetry={() => void refetch()} />}
      </div>
    );
  return (
    <div className="flex flex-col gap-3 px-4 pt-2 pb-4">
      <WebhookSecret view={view} />
      {view.disabled.length > 0 && <DisabledReceivers view={view} />}
      <RecentDeliveries view={view} />
    </div>
  );
}

function DisabledReceivers({ view }: { readonly view: WebhooksView }): ReactNode {
  const t = useMessages();
  const ageIn = useAge();
  const { busy, enable } = useReceivers();
  return (
    <Section title={t.tasks.disabled}>
      <p className="text-muted">{t.tasks.disabledHelp}</p>
      <ul>
        {view.disabled.map(({ url, at }) => (
          <li key={url} className="flex min-h-8 items-center gap-2 py-0.5">
            <code className="min-w-0 grow font-mono text-meta wrap-anywhere">{url}</code>
            <span className="shrink-0 text-meta text-faint">{t.tasks.since410(ageIn(at))}</span>
            <Button aria-label={t.tasks.enableNamed(url)} busy={busy === url} onClick={() => void enable(url)}>
              {t.tasks.enable}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function RecentDeliveries({ view }: { readonly view: WebhooksView }): ReactNode {
  const t = useMessages();
  const pending = view.pending === 0 ? t.tasks.nonePending : t.tasks.pending(view.pending);
  return (
    <Section title={t.tasks.recent} actions={<span className="text-meta text-faint">{pending}</span>}>
      {view.recent.length === 0 ? (
        <p className="text-muted">{t.tasks.noRecent}</p>
      ) : (
        <ul>
          {view.recent.map(({ id, at, state, task, model, url, attempts }) => (
            <li key={id} className="border-b border-line/60 last:border-transparent">
              <button
                type="button"
                onClick={() => replaceParams({ task, panel: null })}
                className="grid min-h-8 w-full grid-cols-[84px_76px_minmax(0,1fr)_auto] items-center gap-x-3 rounded-sm text-left -outline-offset-2 hover:bg-hover max-wide:grid-cols-[84px_minmax(0,1fr)]"
              >
                <span className="text-muted">
                  <Moment at={at} />
                </span>
                <DeliveryState state={state} />
                <code className="truncate font-mono text-meta text-muted max-wide:sr-only" title={url}>
                  {url}
                </code>
                <span className="text-meta text-faint max-wide:hidden">{t.tasks.attempts(attempts.length)}</span>
                <span className="sr-only"> {t.tasks.openTask(model)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
