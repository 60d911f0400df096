import { useEffect } from "react";
import { languages } from "./i18n.tsx";
import { useStored } from "./stored.ts";
import { useTheme } from "./theme.ts";

/** Has tray, menus and boxes of the desktop app follow the language and theme that were chosen. */
export function useAppearance(): void {
  const [stored] = useStored("language");
  const language = languages.find(({ id }) => id === stored)?.id ?? null;
  const theme = useTheme();
  useEffect(() => {
    window.desktop?.setAppearance({ language, theme }).catch(() => undefined);
  }, [language, theme]);
}
