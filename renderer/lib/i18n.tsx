import { createContext, use, useEffect, useMemo, type ReactNode } from "react";
import { en } from "../locales/en.ts";
import type { Messages } from "../locales/messages.ts";
import { zh } from "../locales/zh.ts";
import { useStored } from "./stored.ts";

/** A second language is a file of type `Messages` and a line here. */
const catalogues = { en, zh } as const satisfies Record<string, Messages>;
export type Language = keyof typeof catalogues;
export const languages: readonly { readonly id: Language; readonly label: string }[] = [
  { id: "en", label: "English" },
  { id: "zh", label: "中文" },
];

interface Speech {
  readonly language: Language;
  readonly t: Messages;
  choose(language: Language): void;
}

const SpeechContext = createContext<Speech>({ language: "en", t: en, choose: () => undefined });

/** The stored choice, else the first language of the browser that has a catalogue, else English. */
export function languageFrom(stored: string | null, preferred: readonly string[]): Language {
  for (const wanted of [stored ?? "", ...preferred]) {
    const found = languages.find(({ id }) => id === wanted.split("-")[0]?.toLowerCase());
    if (found !== undefined) return found.id;
  }
  return "en";
}

export function SpeechProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [stored, store] = useStored("language");
  const language = languageFrom(stored, navigator.languages);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const speech = useMemo(() => ({ language, t: catalogues[language], choose: store }), [language, store]);
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}

/** The words of the chosen language. */
export function useMessages(): Messages {
  return use(SpeechContext).t;
}

export function useSpeech(): Speech {
  return use(SpeechContext);
}
