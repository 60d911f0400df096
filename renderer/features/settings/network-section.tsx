import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ReactNode } from "react";
import type { AddressView } from "../../../gateway/contract/address.ts";
import type { Settings } from "../../../gateway/contract/control.ts";
import { queryNames } from "../../api/query-names.ts";
import { useAddress } from "../../api/maintenance-queries.ts";
import { Confirm } from "../../components/ui/dialog.tsx";
import { CodeFact } from "../../components/ui/facts.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { RestartLine } from "./restart-line.tsx";
import { Group, NumberSetting, SwitchRow } from "./setting.tsx";
import { useSetting } from "./use-setting.ts";
import { useGateway } from "../../api/gateway.tsx";
import { useGatewayState } from "../../api/queries.ts";
import { useNotify } from "../../components/ui/toasts.tsx";

export function NetworkSection({ settings }: { readonly settings: Settings }): ReactNode {
  const t = useMessages();
  const { data: address, error, refetch } = useAddress();
  if (address === undefined)
    return (
      <section className="panel">
        {error === null ? <SkeletonRows rows={5} /> : <Failure error={error} onRetry={() => void refetch()} />}
      </section>
    );
  return (
    <>
      {address.restart_needed && <RestartLine text={t.settings.nextAddress(whereNext(address))} />}
      <Group title={t.settings.addresses} help={t.settings.addressesHelp}>
        <Addresses address={address} />
        <PausePanel />
      </Group>
      <Group title={t.settings.listening}>
        <NumberSetting
          name="port"
          settings={settings}
          label={t.settings.port}
          help={address.fixed.port ? t.settings.portFixed(address.port) : t.settings.portHelp}
          empty="6174"
        />
        <LanSetting settings={settings} address={address} />
      </Group>
    </>
  );
}

const whereNext = ({ next, port }: AddressView): string => `${next.host}:${next.port === 0 ? port : next.port}`;

function Addresses({ address }: { readonly address: AddressView }): ReactNode {
  const t = useMessages();
  return (
    <dl className="grid grid-cols-[120px_minmax(0,1fr)] items-center gap-y-0.5 max-wide:grid-cols-[92px_minmax(0,1fr)]">
      <CodeFact label="OpenAI" text={`${address.url}/v1`} />
      <CodeFact label="Anthropic" text={address.url} />
      <CodeFact label="MCP" text={`${address.url}/mcp`} />
      {address.others.map((url) => (
        <CodeFact key={url} label={t.settings.fromNetwork} text={`${url}/v1`} />
      ))}
    </dl>
  );
}

/** Off without a word; on only after it was read what that means. */
function LanSetting({ settings, address }: { readonly settings: Settings; readonly address: AddressView }): ReactNode {
  const t = useMessages();
  const cache = useQueryClient();
  const { save } = useSetting("lan", t.settings.lan);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const write = async (on: boolean): Promise<void> => {
    setBusy(true);
    if (await save(on)) await cache.invalidateQueries({ queryKey: [queryNames.address] });
    setBusy(false);
    setAsking(false);
  };
  return (
    <>
      <SwitchRow
        label={t.settings.lan}
        help={address.fixed.host ? t.settings.hostFixed(address.host) : t.settings.lanHelp}
        checked={settings.lan}
        onChange={(on) => (on ? setAsking(true) : void write(false))}
      />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void write(true)}
        title={t.settings.lanTitle}
        description={
          <span className="flex flex-col gap-2">
            {t.settings.lanWarnings.split("\n").map((line) => (
              <span key={line}>{line}</span>
            ))}
          </span>
        }
        action={t.settings.lanAction}
        busy={busy}
      />
    </>
  );
}

/** Sends clients away until it is switched off again. */
function PausePanel(): ReactNode {
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
