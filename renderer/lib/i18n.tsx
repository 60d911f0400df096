import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import type { FirstWords, Messages, PageWords } from "../locales/messages.ts";
import { readStored, useStored } from "./stored.ts";

/** A language is two files of these types and two lines here. Only the active one is loaded. */
const catalogues = {
  en: {
    first: async () => (await import("../locales/first-en.ts")).firstEn,
    pages: async () => (await import("../locales/pages-en.ts")).pagesEn,
  },
  zh: {
    first: async () => (await import("../locales/first-zh.ts")).firstZh,
    pages: async () => (await import("../locales/pages-zh.ts")).pagesZh,
  },
} as const satisfies Record<string, { first(): Promise<FirstWords>; pages(): Promise<PageWords> }>;
export type Language = keyof typeof catalogues;
export const languages: readonly { readonly id: Language; readonly label: string }[] = [
  { id: "en", label: "English" },
  { id: "zh", label: "中文" },
];

/** A language with its texts. */
export interface Spoken {
  readonly language: Language;
  readonly t: Messages;
}

interface Speech extends Spoken {
  choose(language: Language): void;
}

const SpeechContext = createContext<Speech | null>(null);

/** Returns the stored choice, else the browser's first supported language, else English. */
export function languageFrom(stored: string | null, preferred: readonly string[]): Language {
  for (const tag of [stored ?? "", ...preferred]) {
    const found = languages.find(({ id }) => id === tag.split("-")[0]?.toLowerCase());
    if (found !== undefined) return found.id;
  }
  return "en";
}

const chooseLanguage = (stored: string | null): Language => languageFrom(stored, navigator.languages);

/** Words of each language that was spoken; those of pages join when the first of them is wanted. */
const spokenWords = new Map<Language, Messages>();
let arePagesRequested = false;

async function describeWords(language: Language): Promise<Spoken> {
  // Missing texts are not read before their page is opened.
  const t = spokenWords.get(language) ?? ({ ...(await catalogues[language].first()) } as Messages);
  spokenWords.set(language, t);
  if (arePagesRequested && !("settings" in t)) Object.assign(t, await catalogues[language].pages());
  return { language, t };
}

/** Loads the texts of all pages in each language used so far. Rejects on failure. */
export async function loadPageWords(): Promise<void> {
  arePagesRequested = true;
  await Promise.all([...spokenWords.keys()].map(describeWords));
}

/** Loads the initial texts. Rejects on failure. */
export function findFirstWords(): Promise<Spoken> {
  return describeWords(chooseLanguage(readStored("language")));
}

export interface SpeechProviderProps {
  readonly first: Spoken;
  readonly children: ReactNode;
}

export function SpeechProvider({ first, children }: SpeechProviderProps): ReactNode {
  const [stored, store] = useStored("language");
  const [spoken, setSpoken] = useState(first);
  const chosen = chooseLanguage(stored);
  // Until another language's texts are loaded, and if loading fails, the current one stays.
  useEffect(() => {
    let left = false;
    describeWords(chosen).then(
      (words) => left || setSpoken((now) => (now.language === words.language ? now : words)),
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [chosen]);
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

/** Returns the texts of the chosen language. */
export function useMessages(): Messages {
  return useSpeech().t;
}
