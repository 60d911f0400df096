import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { AddressView } from "../../../gateway/contract/address.ts";
import type { Settings } from "../../../gateway/contract/settings.ts";
import { queryNames } from "../../api/query-names.ts";
import { useAddress } from "../../api/maintenance-queries.ts";
import { CodeFact } from "../../components/ui/facts.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { RestartLine } from "./restart-line.tsx";
import { Group, SettingFields, SwitchRow } from "./setting.tsx";
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
      <Group title={t.settings.outbound}>
        <SettingFields group="outbound" settings={settings} />
      </Group>
      <Group title={t.settings.listening}>
        <SettingFields
          group="listening"
          settings={settings}
          help={{
            port: address.fixed.port ? t.settings.portFixed(address.port) : undefined,
            lan: address.fixed.host ? t.settings.hostFixed(address.host) : undefined,
          }}
        />
      </Group>
      <Group title={t.settings.timeouts} help={t.settings.timeoutsHelp}>
        <SettingFields group="timeouts" settings={settings} />
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

/** Pauses client requests until switched off. */
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
              () => void write(!next).catch(notify.showError),
            ),
          notify.showError,
        );
      }}
    />
  );
}
