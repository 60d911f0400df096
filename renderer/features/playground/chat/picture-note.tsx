import type { ReactNode } from "react";
import { useModels } from "../../../api/queries.ts";
import { useMessages } from "../../../lib/i18n.tsx";

export interface PictureNoteProps {
  /** Models that receive the next turn. */
  readonly models: readonly string[];
  /** How many pictures it has. */
  readonly pictures: number;
}

/** Warns about models that certainly do not take pictures. Unknown abilities are not mentioned. */
export function PictureNote({ models, pictures }: PictureNoteProps): ReactNode {
  const t = useMessages();
  const { data: known = [] } = useModels();
  if (pictures === 0) return null;
  const blind = models.filter((id) => known.find((model) => model.id === id)?.abilities?.pictures === false);
  if (blind.length === 0) return null;
  return (
    <output className="text-meta text-warning-text wrap-anywhere">
      {blind.map((model) => (
        <span key={model} className="block">
          {t.playground.seesNone(model)}
        </span>
      ))}
    </output>
  );
}
