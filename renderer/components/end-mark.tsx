import type { ReactNode } from "react";
import { countDaysLeft } from "../../gateway/contract/model-ending.ts";
import type { ModelView } from "../../gateway/contract/model-view.ts";
import { useMessages } from "../lib/i18n.tsx";
import { useNow } from "../lib/now.ts";
import { Badge } from "./ui/badge.tsx";

/** When a model ends, and how many apps use it, in the weeks before. */
export function EndMark({ model }: { readonly model: ModelView | undefined }): ReactNode {
  const t = useMessages();
  const days = countDaysLeft(model?.ends?.on, useNow());
  if (model?.ends === undefined || days === null) return null;
  const { on, apps, successor } = model.ends;
  return (
    <span title={t.models.ending(model.id, days, on, apps, successor)} className="shrink-0">
      <Badge tone="warning">{t.models.endsMark(days)}</Badge>
    </span>
  );
}
