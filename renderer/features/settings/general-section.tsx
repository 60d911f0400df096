import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Settings } from "../../../gateway/contract/settings.ts";
import type { DesktopBridge } from "../../bridge.ts";
import { queryNames } from "../../api/query-names.ts";
import { SelectField } from "../../components/ui/field.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { languages, useSpeech } from "../../lib/i18n.tsx";
import { chooseTheme, themes, useTheme } from "../../lib/theme.ts";
import { Group, SettingFields, SwitchRow } from "./setting.tsx";

export function GeneralSection({ settings }: { readonly settings: Settings }): ReactNode {
  const { t, language, choose } = useSpeech();
  const theme = useTheme();
  return (
    <>
      <Group title={t.settings.appearance}>
        <div className="grid max-w-120 grid-cols-2 gap-3">
          <SelectField
            label={t.app.theme}
            value={theme}
            choices={themes.map((id) => ({ id, label: t.app.themes[id] }))}
            onChange={chooseTheme}
          />
          <SelectField label={t.app.language} value={language} choices={languages} onChange={choose} />
        </div>
      </Group>
      <Group title={t.settings.sandbox}>
        <div className="max-w-80">
          <SettingFields group="sandbox" settings={settings} />
        </div>
      </Group>
      <Group title={t.settings.pictures} help={t.settings.picturesHelp}>
        <SettingFields group="pictures" settings={settings} />
      </Group>
      <Group title={t.settings.running}>
        <DesktopSwitch
          name={queryNames.autostart}
          label={t.settings.autostart}
          help={t.settings.autostartHelp}
          none={t.settings.autostartNone}
          read={(desktop) => desktop.autostart()}
          write={(desktop, on) => desktop.setAutostart(on)}
        />
        <DesktopSwitch
          name={queryNames.closeToTray}
          label={t.settings.closeToTray}
          help={t.settings.closeToTrayHelp}
          read={(desktop) => desktop.closeToTray()}
          write={(desktop, on) => desktop.setCloseToTray(on)}
        />
      </Group>
    </>
  );
}

/** A switch controlled by the desktop app; a browser shows that in place of the help. */
function DesktopSwitch(props: {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  /** Says why it cannot. */
  readonly none?: string;
  /** Null if the desktop app does not support it here. */
  readonly read: (desktop: DesktopBridge) => Promise<boolean | null>;
  readonly write: (desktop: DesktopBridge, on: boolean) => Promise<void>;
}): ReactNode {
  const { name, label, help, none, read } = props;
  const { t } = useSpeech();
  const { desktop } = window;
  const cache = useQueryClient();
  const notify = useNotify();
  const queryKey = [name];
  const { data: on = false } = useQuery({
    queryKey,
    queryFn: () => (desktop === undefined ? false : read(desktop)),
    enabled: desktop !== undefined,
  });
  const write = async (next: boolean): Promise<void> => {
    if (desktop === undefined) return;
    cache.setQueryData(queryKey, next);
    try {
      await props.write(desktop, next);
    } finally {
      await cache.invalidateQueries({ queryKey });
    }
  };
  return (
    <SwitchRow
      label={label}
      help={help}
      checked={on === true}
      unavailable={desktop === undefined ? t.settings.desktopOnly : on === null ? none : undefined}
      onChange={(next) => {
        write(next).then(
          () => notify.undoable(t.settings.changed(label), () => void write(!next).catch(notify.showError)),
          notify.showError,
        );
      }}
    />
  );
}
