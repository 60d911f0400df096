import { Keyboard, Search } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { languages, useSpeech } from "../../lib/i18n.tsx";
import { chooseTheme, themes, useTheme } from "../../lib/theme.ts";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { useOverlays } from "./overlays.ts";

export interface PreferencesMenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  /** With the search entry, where there is no search button beside it. */
  readonly withSearch?: boolean;
}

export function PreferencesMenu({ trigger, withSearch = false }: PreferencesMenuProps): ReactNode {
  const { t, language, choose } = useSpeech();
  const overlays = useOverlays();
  const theme = useTheme();
  return (
    <Menu trigger={trigger} side="top" align="end">
      {withSearch && (
        <MenuItem icon={<Search size={14} aria-hidden />} onSelect={() => overlays.open("palette")}>
          {t.app.search}
        </MenuItem>
      )}
      <MenuChoice
        label={t.app.theme}
        value={theme}
        choices={themes.map((id) => ({ id, label: t.app.themes[id] }))}
        onChoose={chooseTheme}
      />
      <MenuSeparator />
      <MenuChoice label={t.app.language} value={language} choices={languages} onChoose={choose} />
      <MenuSeparator />
      <MenuItem icon={<Keyboard size={14} aria-hidden />} hint="?" onSelect={() => overlays.open("shortcuts")}>
        {t.app.shortcuts}
      </MenuItem>
    </Menu>
  );
}
