import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/settings.ts";
import type { UpdateState } from "../../bridge.ts";
import { useGatewayState } from "../../api/queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { Button } from "../../components/ui/button.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { Group, SettingFields } from "./setting.tsx";

/** A download is watched. */
const LOOK_MS = 1_000;
const underWay = (state: UpdateState | undefined): boolean =>
  state?.state === "downloading" || state?.state === "checking";

export function UpdatesSection({ settings }: { readonly settings: Settings }): ReactNode {
  const t = useMessages();
  const { desktop } = window;
  const cache = useQueryClient();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const { data: now } = useGatewayState();
  const queryKey = [queryNames.updates];
  const { data: update } = useQuery({
    queryKey,
    queryFn: () => desktop?.updates() ?? null,
    enabled: desktop !== undefined,
    refetchInterval: ({ state }) => (underWay(state.data ?? undefined) ? LOOK_MS : false),
  });
  const step = async (ask: () => Promise<UpdateState>): Promise<void> => {
    setBusy(true);
    try {
      cache.setQueryData(queryKey, await ask());
    } catch (error) {
      notify.showError(error);
    } finally {
      setBusy(false);
    }
  };
  const state = update?.state;
  const text =
    desktop === undefined
      ? t.settings.updatesInBrowser
      : update == null
        ? ""
        : (update.message ?? t.settings.updateStates[update.state](update.version ?? ""));
  return (
    <Group title={t.settings.names.updates} help={now === undefined ? undefined : t.settings.thisVersion(now.version)}>
      <output className="block wrap-anywhere">{text}</output>
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={desktop === undefined || state === "unsupported"}
          busy={busy || state === "checking"}
          onClick={() => desktop !== undefined && void step(() => desktop.checkForUpdates())}
        >
          {t.settings.checkUpdates}
        </Button>
        {desktop !== undefined && (state === "available" || state === "ready") && (
          <Button look="primary" busy={busy} onClick={() => void step(() => desktop.installUpdate())}>
            {state === "available" ? t.settings.downloadUpdate : t.settings.installUpdate}
          </Button>
        )}
      </div>
      <SettingFields group="updates" settings={settings} />
    </Group>
  );
}
