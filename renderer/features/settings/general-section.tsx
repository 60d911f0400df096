import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queryNames } from "../../api/query-names.ts";
import { SelectField } from "../../components/ui/field.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { languages, useSpeech } from "../../lib/i18n.tsx";
import { chooseTheme, themes, useTheme } from "../../lib/theme.ts";
import { Group, SwitchRow } from "./setting.tsx";

export function GeneralSection(): ReactNode {
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
      <Group title={t.settings.running}>
        <Autostart />
      </Group>
    </>
  );
}

/** Whether Postern starts with the session of its owner: the desktop app's to know and to change. */
function Autostart(): ReactNode {
  const { t } = useSpeech();
  const { desktop } = window;
  const cache = useQueryClient();
  const notify = useNotify();
  const queryKey = [queryNames.autostart];
  const { data: on = false } = useQuery({
    queryKey,
    queryFn: () => desktop?.autostart() ?? false,
    enabled: desktop !== undefined,
  });
  const write = async (next: boolean): Promise<void> => {
    cache.setQueryData(queryKey, next);
    try {
      await desktop?.setAutostart(next);
    } finally {
      await cache.invalidateQueries({ queryKey });
    }
  };
  return (
    <SwitchRow
      label={t.settings.autostart}
      help={t.settings.autostartHelp}
      checked={on}
      unavailable={desktop === undefined ? t.settings.desktopOnly : undefined}
      onChange={(next) => {
        write(next).then(
          () => notify.undoable(t.settings.changed(t.settings.autostart), () => void write(!next).catch(notify.failed)),
          notify.failed,
        );
      }}
    />
  );
}
