import { Eye, Wrench, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { useMessages } from "../../lib/i18n.tsx";

/** Inputs in addition to text that lists of models show, as `abilities` names them. */
export const shownTakes = ["pictures", "tools"] as const;
export type ShownTake = (typeof shownTakes)[number];

const icons: Readonly<Record<ShownTake, LucideIcon>> = { pictures: Eye, tools: Wrench };

export interface TakesProps {
  readonly model: Pick<ModelView, "abilities">;
  /** Pixels. */
  readonly size: number;
}

/** Inputs that a model surely takes, as icons with their names. */
export function Takes({ model: { abilities }, size }: TakesProps): ReactNode {
  const t = useMessages();
  return shownTakes.map((take) => {
    const Icon = icons[take];
    if (abilities?.[take] !== true) return null;
    return (
      <span key={take} title={t.modelPicker.takes[take]} className="flex">
        <Icon size={size} aria-hidden />
        <span className="sr-only">{t.modelPicker.takes[take]} </span>
      </span>
    );
  });
}
