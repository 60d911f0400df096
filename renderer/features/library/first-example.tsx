import type { ReactNode } from "react";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { useModels } from "../../api/queries.ts";
import { CopyButton } from "../../components/ui/copy.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { codeSample } from "../../lib/samples/code-sample.ts";

const USUAL_MODEL = "gpt-image-1";

/** The call that makes a first picture, by a model that is served right now. */
export function firstPicture(models: readonly ModelView[], origin: string, key: string): string {
  const able = models.filter(({ capabilities }) => capabilities.includes("image"));
  const model = (able.find(({ id }) => id === USUAL_MODEL) ?? able[0])?.id ?? USUAL_MODEL;
  const body = { model, prompt: "A lighthouse at dusk" };
  return codeSample("curl", origin, { path: "/v1/images/generations", body }, { text: key });
}

/** How to make a first result, for an empty library. */
export function FirstExample(): ReactNode {
  const t = useMessages();
  const { data: models = [] } = useModels();
  const text = firstPicture(models, location.origin, t.overview.yourKey);
  return (
    <div className="flex max-w-full flex-col items-center gap-3">
      <pre className="max-w-full overflow-hidden rounded-md border border-line bg-canvas px-3 py-2 text-left font-mono text-meta whitespace-pre-wrap wrap-anywhere text-muted">
        {text}
      </pre>
      <CopyButton text={text} label={t.library.copyExample} />
    </div>
  );
}
