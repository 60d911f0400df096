import { useQueryClient } from "@tanstack/react-query";
import { useNotify } from "../ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { useGateway } from "../../api/gateway.tsx";
import { queryNames } from "../../api/query-names.ts";
import { useBusy } from "../ui/use-busy.ts";

export interface PauseActions {
  readonly busy: boolean;
  pause(): void;
  resume(): void;
}

/** Pauses or resumes client requests, and applies the new state to the page immediately. */
export function usePause(): PauseActions {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const { busy, run } = useBusy();
  const change = (what: "pause" | "resume", message: string) =>
    run(async () => {
      cache.setQueryData([queryNames.state], await client.call(what));
      notify.confirm(message);
    });
  return {
    busy,
    pause: () => void change("pause", t.status.pausedNow),
    resume: () => void change("resume", t.status.resumed),
  };
}
