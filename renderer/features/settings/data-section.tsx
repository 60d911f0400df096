import type { ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/settings.ts";
import { LockedKeys } from "../../components/locked-keys.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { BackupsPanel } from "./backups-panel.tsx";
import { ConfigPanel } from "./config-panel.tsx";
import { FolderPanel } from "./folder-panel.tsx";
import { KeyProtectionPanel } from "./key-protection-panel.tsx";
import { Group, SettingFields } from "./setting.tsx";

export function DataSection({ settings }: { readonly settings: Settings }): ReactNode {
  const t = useMessages();
  return (
    <>
      <LockedKeys elsewhere />
      <KeyProtectionPanel />
      <FolderPanel />
      <ConfigPanel />
      <BackupsPanel settings={settings} />
      <Group title={t.settings.results} help={t.settings.resultsHelp}>
        <SettingFields group="results" settings={settings} />
      </Group>
      <Group title={t.settings.recordings} help={t.settings.recordingsHelp}>
        <SettingFields group="recordings" settings={settings} />
      </Group>
    </>
  );
}
