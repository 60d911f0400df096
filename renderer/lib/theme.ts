import { readStored, useStored, writeStored } from "./stored.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const NAME = "theme";

function themeFrom(stored: string | null): Theme {
  return themes.find((theme) => theme === stored) ?? "system";
}

/** Puts the chosen theme on the document; called before the first paint. Without a choice the system decides. */
export function applyTheme(theme: Theme = themeFrom(readStored(NAME))): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  writeStored(NAME, theme === "system" ? null : theme);
  applyTheme(theme);
}

export function useTheme(): Theme {
  return themeFrom(useStored(NAME)[0]);
}
