import { useMemo, useState, type ReactNode } from "react";
import type { ModelFacts } from "../../../../gateway/contract/playground.ts";
import { useGateway } from "../../../api/gateway.tsx";
import type { V1Request } from "../../../api/v1/call-v1.ts";
import { RunForm } from "../../../components/schema-form/run-form.tsx";
import { SchemaFieldList } from "../../../components/schema-form/schema-field-list.tsx";
import {
  readForm,
  splitLines,
  type FieldFault,
  type SchemaField,
} from "../../../components/schema-form/schema-fields.ts";
import { CheckBox } from "../../../components/ui/check-box.tsx";
import { NoticeLine } from "../../../components/ui/states.tsx";
import { formatCount } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.tsx";
import type { Messages } from "../../../locales/messages.ts";
import type { MediaKind } from "../kinds.ts";
import { useMemory } from "../memory.ts";
import { CopyAs } from "../parts/copy-as.tsx";
import { JobList } from "../parts/job-list.tsx";
import { ModelField } from "../parts/model-field.tsx";
import { Quote } from "../parts/quote.tsx";
import { PictureField } from "../pictures/picture-field.tsx";
import { sayAddress } from "../say-address.ts";
import { SoundField } from "../transcription/sound-field.tsx";
import { useModelFacts } from "../use-model-facts.ts";
import { describePictures } from "./describe-pictures.ts";
import { maskedPicture } from "./mask-file.ts";
import { MaskPainter } from "./mask-painter.tsx";
import { isPainted } from "./mask.ts";
import { createMediaFields, TEXT_FIELDS } from "./media-forms.ts";
import { mediaKindViews } from "./media-kinds.tsx";
import { mediaMemories, type MediaState } from "./media-memory.ts";
import { createEstimate, createRequest, nameEditFiles, type MediaInput, type NamedFile } from "./media-requests.ts";

type Faults = Readonly<Record<string, FieldFault>>;
const NO_FAULTS: Faults = {};

/** A form that is made from the endpoint's schema and, next to or below it, what came of it. */
export function MediaTab({ kind }: { readonly kind: MediaKind }): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const { change } = mediaMemories[kind];
  const state = useMemory(mediaMemories[kind]);
  const { model, typed, sound } = state;
  const facts = useModelFacts(model);
  const { icon: Icon, jobs, renderResult } = mediaKindViews[kind];
  const { jobs: list } = useMemory(jobs.list);
  const [faults, setFaults] = useState(NO_FAULTS);

  const canTranslate = kind === "transcription" && (facts?.transcription?.translates ?? true);
  const isTranslation = canTranslate && state.isTranslation;
  const { most, ...pictureWords } = describePictures(kind, facts, t.playground);
  const pictures = state.pictures.slice(0, most);
  const [picture] = pictures;
  const takesMask = kind === "edit" && (facts?.edit?.mask ?? true);
  const text = typed[TEXT_FIELDS[kind]] ?? "";
  const made = useMemo(
    () => createMediaFields(kind, facts, isTranslation, t.playground),
    [kind, facts, isTranslation, t],
  );
  const fields = kind === "speech" ? made.map((field) => countCharacters(field, text, facts, t)) : made;
  const ready =
    model !== "" &&
    (kind === "transcription" ? sound !== null : text.trim() !== "") &&
    (kind === "edit" ? picture !== undefined : kind !== "video" || facts !== undefined);

  /** Returns values and pictures of a valid form; null if something is invalid or missing. */
  const readInput = (files: readonly NamedFile[] = [], given: MediaState["typed"] = typed): MediaInput | null => {
    const read = readForm(fields, given);
    setFaults(read.ok ? NO_FAULTS : read.faults);
    if (!ready || !read.ok) return null;
    const urls = kind === "edit" ? [] : pictures.map(({ url }) => url);
    return { kind, model, values: read.arguments, facts, pictures: urls, files, isTranslation };
  };
  const collectFiles = async (isSample: boolean): Promise<readonly NamedFile[]> => {
    if (sound !== null && kind === "transcription") return [{ field: "file", file: sound.file, name: sound.name }];
    if (kind !== "edit" || picture === undefined) return [];
    const painted = takesMask && isPainted(state.shapes);
    const whole = pictures.map(({ file }) => file);
    if (!painted || isSample) return nameEditFiles(whole, painted ? new Blob() : null);
    const made = await maskedPicture(picture, state.shapes);
    return nameEditFiles([made.picture, ...whole.slice(1)], made.mask);
  };
  const send = (): void => {
    const input = readInput();
    if (input === null) return;
    sayAddress(kind, model, kind === "transcription" || kind === "embedding" ? "" : text);
    const lines = kind === "embedding" ? splitLines(text) : [];
    const title = kind === "transcription" ? (sound?.name ?? "") : text;
    jobs.start(client, {
      title: lines.length > 1 ? t.playground.textCount(lines.length) : title,
      model,
      request: async () => createRequest({ ...input, files: await collectFiles(false) }),
    });
  };
  const createSample = async (): Promise<V1Request | null> => {
    // SDKs have to be given a voice.
    const voice = typed["voice"] || (facts?.speech?.default_voice ?? "");
    const input = readInput(await collectFiles(true), kind === "speech" ? { ...typed, voice } : typed);
    return input === null ? null : createRequest(input);
  };
  const estimate = (): ReturnType<typeof createEstimate> => {
    const input = readInput();
    return input === null ? null : createEstimate(input, pictures.length);
  };

  const fileFields = (
    <>
      {kind === "transcription" && (
        <SoundField label={t.playground.sound} sound={sound} onChange={(next) => change({ sound: next })} />
      )}
      {most > 0 && (
        <PictureField
          {...pictureWords}
          pictures={pictures}
          most={most}
          // Painted shapes belong to the first picture.
          onChange={(next) => change({ pictures: next, failed: false, ...(next[0] !== picture && { shapes: [] }) })}
        />
      )}
      {state.failed && <NoticeLine level="danger">{t.playground.unreadable.broken}</NoticeLine>}
    </>
  );
  const isFileFirst = kind === "edit" || kind === "transcription";
  const isPriced = kind !== "transcription";
  return (
    <div className="grid gap-4 min-[900px]:grid-cols-[minmax(300px,380px)_minmax(0,1fr)]">
      <RunForm
        label={t.playground.tabs[kind]}
        className="panel self-start p-3.5"
        stopLabel={t.playground.stop}
        stopsByKey
        faults={faults}
        running={list.some(({ status }) => status === "running")}
        ready={ready}
        onSend={send}
        onStop={jobs.stop}
        actions={
          <>
            <CopyAs request={createSample} />
            {isPriced && <Quote ask={estimate} stamp={JSON.stringify([model, typed, pictures.length])} />}
          </>
        }
      >
        <ModelField kind={kind} value={model} onChange={(next) => change({ model: next })} />
        {isFileFirst && fileFields}
        <SchemaFieldList
          fields={fields}
          typed={typed}
          faults={faults}
          onChange={(name, value) => change({ typed: { ...typed, [name]: value } })}
        >
          {!isFileFirst && fileFields}
          {canTranslate && (
            <CheckBox
              label={t.playground.intoEnglish}
              checked={isTranslation}
              onChange={(next) => change({ isTranslation: next })}
            />
          )}
        </SchemaFieldList>
      </RunForm>
      <div className="flex min-w-0 flex-col gap-4">
        {kind === "edit" && picture !== undefined && takesMask && (
          <section aria-label={t.playground.maskTitle} className="panel p-3.5">
            <h2 className="mb-2 font-semibold">{t.playground.maskTitle}</h2>
            <MaskPainter
              key={picture.id}
              picture={picture}
              shapes={state.shapes}
              onChange={(shapes) => change({ shapes })}
            />
          </section>
        )}
        {kind === "edit" && picture !== undefined && !takesMask && (
          <NoticeLine level="info">{t.playground.noMask}</NoticeLine>
        )}
        <JobList
          jobs={list}
          icon={<Icon size={24} />}
          help={t.playground.helps[kind]}
          renderResult={(result) => renderResult(result)}
        />
      </div>
    </div>
  );
}

/** The text of a speech with its length as help. */
function countCharacters(field: SchemaField, text: string, facts: ModelFacts | undefined, t: Messages): SchemaField {
  if (field.name !== TEXT_FIELDS.speech) return field;
  const length = formatCount(Array.from(text).length);
  const { characters, charactersOf } = t.playground;
  const most = facts?.speech?.most;
  return { ...field, help: most === undefined ? characters(length) : charactersOf(length, formatCount(most)) };
}
