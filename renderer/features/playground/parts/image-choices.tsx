import type { ReactNode } from "react";
import { useMessages } from "../../../lib/i18n.tsx";
import { ChoiceField } from "./choice-field.tsx";

/** Pictures that one call may make where nothing else is known. */
const MOST = 10;

export interface ImageChoicesProps {
  /** What the model takes; null while no one knows. */
  readonly facts: { readonly most: number; readonly qualities: readonly string[] } | null;
  readonly n: string;
  readonly quality: string;
  readonly onChange: (changed: { readonly n: string } | { readonly quality: string }) => void;
}

/** How many pictures of what quality, where the model leaves a choice. */
export function ImageChoices({ facts, n, quality, onChange }: ImageChoicesProps): ReactNode {
  const t = useMessages();
  const most = Math.min(MOST, facts?.most ?? MOST);
  return (
    <>
      {most > 1 && (
        <ChoiceField
          label={t.playground.howMany}
          value={n}
          choices={Array.from({ length: most }, (_, index) => String(index + 1))}
          free={false}
          onChange={(value) => onChange({ n: value })}
        />
      )}
      {(facts === null || facts.qualities.length > 0) && (
        <ChoiceField
          label={t.playground.quality}
          value={quality}
          choices={facts?.qualities ?? []}
          free={facts === null}
          onChange={(value) => onChange({ quality: value })}
        />
      )}
    </>
  );
}
