import { Brush } from "lucide-react";
import type { ReactNode } from "react";
import { useGateway } from "../../../api/gateway.tsx";
import { TextAreaField } from "../../../components/ui/field.tsx";
import { NoticeLine } from "../../../components/ui/states.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { createJobs } from "../calls/jobs.ts";
import type { V1Request } from "../../../api/v1/call-v1.ts";
import { useMemory } from "../memory.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { CopyAs } from "../parts/copy-as.tsx";
import { ImageChoices } from "../parts/image-choices.tsx";
import { JobForm } from "../parts/job-form.tsx";
import { JobList } from "../parts/job-list.tsx";
import { JobTab } from "../parts/job-tab.tsx";
import { ModelField } from "../parts/model-field.tsx";
import { Quote } from "../parts/quote.tsx";
import { PictureField } from "../pictures/picture-field.tsx";
import { sayAddress } from "../say-address.ts";
import { useModelFacts } from "../use-model-facts.ts";
import { editForm, editQuote, type EditWish } from "./bodies.ts";
import { editMemory, editThis } from "./edit-memory.ts";
import { KeptResult } from "./kept-result.tsx";
import { maskedPicture } from "./mask-file.ts";
import { MaskPainter } from "./mask-painter.tsx";
import { isPainted } from "./mask.ts";
import { readImages, withKept, type MediaResult } from "./media-result.ts";

const editJobs = createJobs<MediaResult>();
const PATH = "/v1/images/edits";

/** Changes a picture: all of it, or what is painted over. */
export function EditTab(): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const state = useMemory(editMemory);
  const { jobs } = useMemory(editJobs.list);
  const facts = useModelFacts(state.model)?.edit ?? null;
  const { change } = editMemory;
  const { picture, shapes } = state;
  const masks = facts?.mask ?? true;
  const painted = masks && isPainted(shapes);
  const wish: EditWish = {
    model: state.model,
    prompt: state.prompt,
    size: state.size,
    n: state.n,
    quality: state.quality,
  };
  const ready = state.prompt.trim() !== "" && state.model !== "" && picture !== null;
  const request = async (): Promise<V1Request> => {
    if (picture === null) throw new Error("there is no picture");
    if (!painted) return { path: PATH, body: editForm(wish, picture.file, null) };
    const made = await maskedPicture(picture, shapes);
    return { path: PATH, body: editForm(wish, made.picture, made.mask) };
  };
  return (
    <JobTab>
      <JobForm
        label={t.playground.tabs.edit}
        running={jobs.some(({ status }) => status === "running")}
        ready={ready}
        onSend={() => {
          sayAddress("edit", state.model, state.prompt);
          editJobs.start(client, {
            title: state.prompt,
            model: state.model,
            request,
            settles: true,
            read: readImages,
            complete: withKept,
          });
        }}
        onStop={editJobs.stop}
        actions={
          <>
            <CopyAs
              request={() =>
                ready ? { path: PATH, body: editForm(wish, picture.file, painted ? new Blob() : null) } : null
              }
            />
            <Quote tool="edit_image" ask={() => (ready ? editQuote(wish) : null)} stamp={JSON.stringify(wish)} />
          </>
        }
      >
        <ModelField kind="edit" value={state.model} onChange={(model) => change({ model })} />
        <PictureField
          label={t.playground.picture}
          pictures={picture === null ? [] : [picture]}
          most={1}
          help={facts?.square_png === true ? t.playground.squarePng : t.playground.pictureHelp}
          onChange={([next]) => change({ picture: next ?? null, shapes: [], failed: false })}
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
      </JobForm>
      <div className="flex min-w-0 flex-col gap-4">
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
        <JobList
          jobs={jobs}
          icon={<Brush size={24} aria-hidden />}
          help={t.playground.editHelp}
          renderResult={(result) => <KeptResult result={result} onEdit={(view) => void editThis(view)} />}
        />
      </div>
    </JobTab>
  );
}
