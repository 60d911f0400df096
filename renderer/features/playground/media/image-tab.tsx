import { ImagePlus } from "lucide-react";
import type { ReactNode } from "react";
import { TextAreaField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { createJobs } from "../calls/jobs.ts";
import { createMemory, useMemory } from "../memory.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { ImageChoices } from "../parts/image-choices.tsx";
import { JobTab } from "../parts/job-tab.tsx";
import { PictureField } from "../pictures/picture-field.tsx";
import type { Picture } from "../pictures/picture.ts";
import { useModelFacts } from "../use-model-facts.ts";
import { imageBody, imageQuote, type ImageWish } from "./bodies.ts";
import { editThis } from "./edit-memory.ts";
import { KeptResult } from "./kept-result.tsx";
import { pictureJobs } from "./media-result.ts";

interface ImageState extends Omit<ImageWish, "pictures"> {
  readonly pictures: readonly Picture[];
}

export const imageMemory = createMemory<ImageState>("image", {
  model: "",
  prompt: "",
  size: "",
  n: "",
  quality: "",
  seed: "",
  pictures: [],
});
const imageJobs = createJobs("image-jobs", pictureJobs);

const GROK_RATIOS = ["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3"] as const;

/** Pictures from words. */
export function ImageTab(): ReactNode {
  const t = useMessages();
  const state = useMemory(imageMemory);
  const facts = useModelFacts(state.model)?.image ?? null;
  const { change } = imageMemory;
  const looks = facts?.references.most ?? 0;
  const wish: ImageWish = { ...state, pictures: looks === 0 ? [] : state.pictures.map(({ url }) => url) };
  return (
    <JobTab
      kind="image"
      model={state.model}
      onModel={(model) => change({ model })}
      title={state.prompt}
      prompt={state.prompt}
      jobs={imageJobs}
      ready={state.prompt.trim() !== "" && state.model !== ""}
      request={() => ({ path: "/v1/images/generations", body: imageBody(wish, facts) })}
      quote={{
        tool: "generate_image",
        ask: () => imageQuote(wish, facts),
        stamp: JSON.stringify({ ...state, pictures: wish.pictures.length }),
      }}
      icon={<ImagePlus size={24} aria-hidden />}
      help={t.playground.imageHelp}
      renderResult={(result) => <KeptResult result={result} onEdit={(view) => void editThis(view)} />}
    >
      <TextAreaField
        label={t.playground.prompt}
        rows={5}
        spellCheck
        value={state.prompt}
        placeholder={t.playground.imageExample}
        onChange={(event) => change({ prompt: event.target.value })}
      />
      {looks > 0 && (
        <PictureField
          label={t.playground.lookAt}
          pictures={state.pictures}
          most={looks}
          help={
            facts !== null && facts.references.least > 0 ? t.playground.needsPicture : t.playground.lookAtHelp(looks)
          }
          onChange={(pictures) => change({ pictures })}
        />
      )}
      <div className="grid grid-cols-2 gap-3">
        <ChoiceField
          label={facts?.family === "grok" ? t.playground.ratio : t.playground.size}
          value={state.size}
          choices={facts?.family === "grok" ? GROK_RATIOS : (facts?.sizes ?? [])}
          free={facts?.free ?? true}
          onChange={(size) => change({ size })}
        />
        <ImageChoices facts={facts} n={state.n} quality={state.quality} onChange={change} />
        {(facts?.family === "gamma" || facts?.family === "seedream") && (
          <ChoiceField
            label={t.playground.seed}
            value={state.seed}
            choices={[]}
            free
            numeric
            onChange={(seed) => change({ seed })}
          />
        )}
      </div>
    </JobTab>
  );
}
