import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhooksView } from "../../../gateway/contract/tasks.ts";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface Receivers {
  /** URL that is being enabled, or "secret" while a new secret is created. */
  readonly busy: string | null;
  enable(url: string): Promise<boolean>;
  rotate(): Promise<boolean>;
}

export function useReceivers(): Receivers {
  const t = useMessages();
  const notify = useNotify();
  const cache = useQueryClient();
  const { client } = useGateway();
  const [busy, setBusy] = useState<string | null>(null);

  const run = async (name: string, ask: () => Promise<WebhooksView>, message: string): Promise<boolean> => {
    setBusy(name);
    try {
      cache.setQueryData([queryNames.webhooks], await ask());
      notify.confirm(message);
      return true;
    } catch (error) {
      notify.showError(error);
      return false;
    } finally {
      setBusy(null);
    }
  };
  return {
    busy,
    enable: (url) => run(url, () => client.call("enableReceiver", { url }), t.tasks.enabled(url)),
    rotate: () => run("secret", () => client.call("rotateWebhookSecret"), t.tasks.rotated),
  };
}
