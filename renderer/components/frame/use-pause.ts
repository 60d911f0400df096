import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNotify } from "../ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";

export interface PauseActions {
  readonly busy: boolean;
  pause(): void;
  resume(): void;
}

/** Sends clients away, or answers them again; the new state stands on the page at once. */
export function usePause(): PauseActions {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const [busy, setBusy] = useState(false);
  const run = async (what: "pause" | "resume", said: string): Promise<void> => {
    setBusy(true);
    try {
      cache.setQueryData([queryNames.state], await client.call(what));
      notify.said(said);
    } catch (error) {
      notify.failed(error);
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    pause: () => void run("pause", t.status.pausedNow),
    resume: () => void run("resume", t.status.resumed),
  };
}
