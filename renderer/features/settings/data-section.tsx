import type { ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/control.ts";
import { LockedKeys } from "../../components/locked-keys.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { BackupsPanel } from "./backups-panel.tsx";
import { FolderPanel } from "./folder-panel.tsx";
import { Group, NumberSetting, SwitchRow } from "./setting.tsx";
import { useSetting } from "./use-setting.ts";

export function DataSection({ settings }: { readonly settings: Settings }): ReactNode {
  const t = useMessages();
  return (
    <>
      <LockedKeys elsewhere />
      <FolderPanel />
      <BackupsPanel settings={settings} />
      <Group title={t.settings.results} help={t.settings.resultsHelp}>
        <NumberSetting
          name="media_keep_days"
          settings={settings}
          label={t.settings.mediaDays}
          empty={t.settings.forEver}
        />
        <NumberSetting
          name="media_max_gib"
          settings={settings}
          label={t.settings.mediaSize}
          empty={t.settings.noBound}
        />
      </Group>
      <Group title={t.settings.recordings} help={t.settings.recordingsHelp}>
        <RecordSwitch settings={settings} />
        <NumberSetting name="record_keep_days" settings={settings} label={t.settings.recordDays} />
        <NumberSetting name="record_max_mib" settings={settings} label={t.settings.recordSize} />
      </Group>
    </>
  );
}

function RecordSwitch({ settings }: { readonly settings: Settings }): ReactNode {
  const t = useMessages();
  const { save } = useSetting("record_bodies", t.settings.record);
  return (
    <SwitchRow
      label={t.settings.record}
      help={t.settings.recordHelp}
      checked={settings.record_bodies}
      onChange={(on) => void save(on)}
    />
  );
}
