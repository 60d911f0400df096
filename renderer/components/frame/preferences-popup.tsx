import { Keyboard, Search } from "lucide-react";
import type { ReactNode } from "react";
import { languages, useSpeech } from "../../lib/i18n.tsx";
import { navigate } from "../../lib/router.ts";
import { chooseTheme, themes, useTheme } from "../../lib/theme.ts";
import { entries } from "../../routes.ts";
import type { MenuPopupProps } from "../ui/menu-button.tsx";
import { MenuPopup } from "../ui/menu-popup.tsx";
import { MenuChoice, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { useOverlays } from "./overlays.ts";

export interface PreferencesPopupProps extends MenuPopupProps {
  /** Whether to include search and unplaced entries, if there is no sidebar. */
  readonly complete: boolean;
}

export function PreferencesPopup({ complete, ...popup }: PreferencesPopupProps): ReactNode {
  const { t, language, choose } = useSpeech();
  const overlays = useOverlays();
  const theme = useTheme();
  return (
    <MenuPopup {...popup}>
      {complete && (
        <>
          {entries
            .filter(({ inBar }) => inBar !== true)
            .map(({ id, pages: [page] }) => (
              <MenuItem key={id} icon={<page.icon size={14} aria-hidden />} onSelect={() => navigate(page.id)}>
                {t.pages[id]}
              </MenuItem>
            ))}
          <MenuItem icon={<Search size={14} aria-hidden />} onSelect={() => overlays.open("palette")}>
            {t.app.search}
          </MenuItem>
          <MenuSeparator />
        </>
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
    </MenuPopup>
  );
}
