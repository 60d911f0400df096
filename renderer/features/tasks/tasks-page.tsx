import { Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { TaskDialog } from "./task-dialog.tsx";
import { TaskTable } from "./task-table.tsx";
import { WebhooksDialog } from "./webhooks-dialog.tsx";

/** All video tasks of all keys; `task` in the address opens one, `panel=webhooks` the webhooks. */
export function TasksPage(): ReactNode {
  const t = useMessages();
  const { params } = useRoute();
  return (
    <>
      <PageHeader title={t.pages.tasks}>
        <Button icon={<Webhook size={14} aria-hidden />} onClick={() => replaceParams({ panel: "webhooks" })}>
          {t.tasks.webhooks}
        </Button>
      </PageHeader>
      <TaskTable params={params} />
      <TaskDialog id={params.get("task")} onClose={() => replaceParams({ task: null })} />
      <WebhooksDialog open={params.get("panel") === "webhooks"} onClose={() => replaceParams({ panel: null })} />
    </>
  );
}
