import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import type { Messages } from "../locales/messages.ts";
import { readStored, useStored } from "./stored.ts";

/** A second language is a file of type `Messages` and a line here. Only the one that is spoken is fetched. */
const catalogues = {
  en: async () => (await import("../locales/en.ts")).en,
  zh: async () => (await import("../locales/zh.ts")).zh,
} as const satisfies Record<string, () => Promise<Messages>>;
export type Language = keyof typeof catalogues;
export const languages: readonly { readonly id: Language; readonly label: string }[] = [
  { id: "en", label: "English" },
  { id: "zh", label: "中文" },
];

/** A language with its words. */
export interface Spoken {
  readonly language: Language;
  readonly t: Messages;
}

interface Speech extends Spoken {
  choose(language: Language): void;
}

const SpeechContext = createContext<Speech | null>(null);

/** The stored choice, else the first language of the browser that has a catalogue, else English. */
export function languageFrom(stored: string | null, preferred: readonly string[]): Language {
  for (const wanted of [stored ?? "", ...preferred]) {
    const found = languages.find(({ id }) => id === wanted.split("-")[0]?.toLowerCase());
    if (found !== undefined) return found.id;
  }
  return "en";
}

const wantedLanguage = (stored: string | null): Language => languageFrom(stored, navigator.languages);

async function describeWords(language: Language): Promise<Spoken> {
  return { language, t: await catalogues[language]() };
}

/** The words that the pages begin with. Rejects when they cannot be fetched. */
export function findFirstWords(): Promise<Spoken> {
  return describeWords(wantedLanguage(readStored("language")));
}

export interface SpeechProviderProps {
  readonly first: Spoken;
  readonly children: ReactNode;
}

export function SpeechProvider({ first, children }: SpeechProviderProps): ReactNode {
  const [stored, store] = useStored("language");
  const [spoken, setSpoken] = useState(first);
  const wanted = wantedLanguage(stored);
  // Until the words of another language are here, and when they do not come, the pages go on in the one they speak.
  useEffect(() => {
    let left = false;
    describeWords(wanted).then(
      (words) => left || setSpoken((now) => (now.language === words.language ? now : words)),
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [wanted]);
  useEffect(() => {
    document.documentElement.lang = spoken.language;
  }, [spoken]);
  const choose = useCallback((language: Language) => store(language), [store]);
  const speech = useMemo(() => ({ ...spoken, choose }), [spoken, choose]);
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}

export function useSpeech(): Speech {
  const speech = use(SpeechContext);
  if (speech === null) throw new Error("There are no words outside a SpeechProvider");
  return speech;
}

/** The words of the chosen language. */
export function useMessages(): Messages {
  return useSpeech().t;
}
