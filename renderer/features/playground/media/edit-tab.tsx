import { Brush } from "lucide-react";
import type { ReactNode } from "react";
import { TextAreaField } from "../../../components/ui/field.tsx";
import { NoticeLine } from "../../../components/ui/states.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { createJobs } from "../calls/jobs.ts";
import type { V1Request } from "../../../api/v1/call-v1.ts";
import { useMemory } from "../memory.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { ImageChoices } from "../parts/image-choices.tsx";
import { JobTab } from "../parts/job-tab.tsx";
import { PictureField } from "../pictures/picture-field.tsx";
import { useModelFacts } from "../use-model-facts.ts";
import { editForm, editQuote, type EditWish } from "./bodies.ts";
import { editMemory, editThis } from "./edit-memory.ts";
import { KeptResult } from "./kept-result.tsx";
import { maskedPicture } from "./mask-file.ts";
import { MaskPainter } from "./mask-painter.tsx";
import { isPainted } from "./mask.ts";
import { pictureJobs } from "./media-result.ts";

const editJobs = createJobs("edit-jobs", pictureJobs);
const PATH = "/v1/images/edits";
/** Where no one knows how many a model takes. */
const MOST_PICTURES = 16;

/** Changes a picture: all of it, or what is painted over. */
export function EditTab(): ReactNode {
  const t = useMessages();
  const state = useMemory(editMemory);
  const facts = useModelFacts(state.model)?.edit ?? null;
  const { change } = editMemory;
  const { shapes } = state;
  const most = facts?.pictures ?? MOST_PICTURES;
  const pictures = state.pictures.slice(0, most);
  const [picture = null] = pictures;
  const masks = facts?.mask ?? true;
  const painted = masks && isPainted(shapes);
  const wish: EditWish = {
    model: state.model,
    prompt: state.prompt,
    size: state.size,
    n: state.n,
    quality: state.quality,
  };
  const others = pictures.slice(1).map(({ file }) => file);
  const request = async (): Promise<V1Request> => {
    if (picture === null) throw new Error("there is no picture");
    if (!painted) return { path: PATH, body: editForm(wish, [picture.file, ...others], null) };
    const made = await maskedPicture(picture, shapes);
    return { path: PATH, body: editForm(wish, [made.picture, ...others], made.mask) };
  };
  return (
    <JobTab
      kind="edit"
      model={state.model}
      onModel={(model) => change({ model })}
      title={state.prompt}
      prompt={state.prompt}
      jobs={editJobs}
      ready={state.prompt.trim() !== "" && state.model !== "" && picture !== null}
      request={request}
      sample={() => ({
        path: PATH,
        body: editForm(
          wish,
          pictures.map(({ file }) => file),
          painted ? new Blob() : null,
        ),
      })}
      quote={{
        tool: "edit_image",
        ask: () => editQuote(wish, pictures.length),
        stamp: JSON.stringify([wish, pictures.length]),
      }}
      icon={<Brush size={24} aria-hidden />}
      help={t.playground.editHelp}
      renderResult={(result) => <KeptResult result={result} onEdit={(view) => void editThis(view)} />}
      above={
        <>
          {picture !== null && masks && (
            <section aria-label={t.playground.maskTitle} className="panel p-3.5">
              <h2 className="mb-2 font-semibold">{t.playground.maskTitle}</h2>
              <MaskPainter
                key={picture.id}
                picture={picture}
                shapes={shapes}
                onChange={(next) => change({ shapes: next })}
              />
            </section>
          )}
          {picture !== null && !masks && <NoticeLine level="info">{t.playground.noMask}</NoticeLine>}
        </>
      }
    >
      <PictureField
        label={most > 1 ? t.playground.editPictures : t.playground.picture}
        pictures={pictures}
        most={most}
        help={
          facts?.square_png === true
            ? t.playground.squarePng
            : most > 1
              ? t.playground.editPicturesHelp(most)
              : t.playground.pictureHelp
        }
        // What is painted belongs to the first picture.
        onChange={(next) => change({ pictures: next, failed: false, ...(next[0] !== picture && { shapes: [] }) })}
      />
      {state.failed && <NoticeLine level="danger">{t.playground.unreadable.broken}</NoticeLine>}
      <TextAreaField
        label={t.playground.change}
        rows={4}
        spellCheck
        value={state.prompt}
        placeholder={t.playground.editExample}
        onChange={(event) => change({ prompt: event.target.value })}
      />
      <div className="grid grid-cols-2 gap-3">
        <ChoiceField
          label={t.playground.size}
          value={state.size}
          choices={facts?.sizes ?? []}
          free={facts === null}
          onChange={(size) => change({ size })}
        />
        <ImageChoices facts={facts} n={state.n} quality={state.quality} onChange={change} />
      </div>
    </JobTab>
  );
}
