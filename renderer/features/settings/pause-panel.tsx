import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useGateway } from "../../api/gateway.tsx";
import { useGatewayState } from "../../api/queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { SwitchRow } from "./setting.tsx";

/** Sends clients away until it is switched off again. */
export function PausePanel(): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const notify = useNotify();
  const { client } = useGateway();
  const { data: state } = useGatewayState();
  const paused = state?.status === "paused";
  const write = async (pause: boolean): Promise<void> => {
    cache.setQueryData([queryNames.state], await client.call(pause ? "pause" : "resume"));
  };
  return (
    <SwitchRow
      label={t.settings.pause}
      help={t.settings.pauseHelp}
      checked={paused}
      onChange={(next) => {
        write(next).then(
          () =>
            notify.undoable(
              next ? t.settings.paused : t.settings.resumed,
              () => void write(!next).catch(notify.failed),
            ),
          notify.failed,
        );
      }}
    />
  );
}
