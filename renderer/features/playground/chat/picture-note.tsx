import type { ReactNode } from "react";
import { useModels } from "../../../api/queries.ts";
import { useMessages } from "../../../lib/i18n.tsx";

export interface PictureNoteProps {
  /** Whom the next turn goes to. */
  readonly models: readonly string[];
  /** How many pictures it has. */
  readonly pictures: number;
}

/** Says which of the models surely do not see the pictures. What is not known of a model is not said. */
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
