import type { ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/control.ts";
import { useWebhooks } from "../../api/task-queries.ts";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { routeHash } from "../../lib/router.ts";
import { WebhookSecret } from "../../components/webhooks/webhook-secret.tsx";
import { Group, TargetsSetting } from "./setting.tsx";

export function WebhooksSection({ settings }: { readonly settings: Settings }): ReactNode {
  const t = useMessages();
  const { data: view, error, refetch } = useWebhooks();
  return (
    <Group title={t.settings.webhooks} help={t.settings.webhooksHelp}>
      {view !== undefined ? (
        <div>
          <WebhookSecret view={view} />
          <p className="mt-2 text-meta text-faint">
            <a href={routeHash("tasks", { panel: "webhooks" })}>{t.settings.deliveries}</a>
          </p>
        </div>
      ) : error === null ? (
        <SkeletonRows rows={2} />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
      <TargetsSetting settings={settings} />
    </Group>
  );
}
