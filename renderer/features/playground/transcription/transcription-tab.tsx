import { Captions } from "lucide-react";
import type { ReactNode } from "react";
import { transcriptFormats } from "../../../../gateway/contract/transcription.ts";
import { CheckBox } from "../../../components/ui/check-box.tsx";
import { TextAreaField, TextField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { createJobs } from "../calls/jobs.ts";
import { transcriptionForm, type TranscriptionWish } from "../media/bodies.ts";
import { createMemory, useMemory } from "../memory.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { JobTab } from "../parts/job-tab.tsx";
import { useModelFacts } from "../use-model-facts.ts";
import { SoundField } from "./sound-field.tsx";
import type { Sound } from "./sound.ts";
import { readTranscript } from "./transcript.ts";
import { TranscriptView } from "./transcript-view.tsx";

export const transcriptionMemory = createMemory<TranscriptionWish & { readonly sound: Sound | null }>("transcription", {
  model: "",
  prompt: "",
  language: "",
  format: "",
  english: false,
  sound: null,
});
const transcriptionJobs = createJobs("transcription-jobs", { settles: true, read: readTranscript });

/** Writes down what is said in a file, or into the microphone. */
export function TranscriptionTab(): ReactNode {
  const t = useMessages();
  const { sound, ...wish } = useMemory(transcriptionMemory);
  const facts = useModelFacts(wish.model)?.transcription ?? null;
  const { change } = transcriptionMemory;
  const translates = facts?.translates ?? true;
  const asked: TranscriptionWish = {
    ...wish,
    english: translates && wish.english,
    prompt: facts?.prompt === false ? "" : wish.prompt,
  };
  const path = asked.english ? "/v1/audio/translations" : "/v1/audio/transcriptions";
  return (
    <JobTab
      kind="transcription"
      model={wish.model}
      onModel={(model) => change({ model })}
      title={sound?.name ?? ""}
      prompt=""
      jobs={transcriptionJobs}
      ready={sound !== null && wish.model !== ""}
      request={() => ({ path, body: transcriptionForm(asked, sound?.file ?? new Blob(), sound?.name ?? "") })}
      icon={<Captions size={24} aria-hidden />}
      help={t.playground.transcriptionHelp}
      renderResult={(transcript) => <TranscriptView {...transcript} />}
    >
      <SoundField label={t.playground.sound} sound={sound} onChange={(next) => change({ sound: next })} />
      <div className="grid grid-cols-2 gap-3">
        <ChoiceField
          label={t.playground.format}
          value={wish.format}
          choices={facts?.formats ?? transcriptFormats}
          free={false}
          onChange={(format) => change({ format })}
        />
        {!asked.english && (
          <TextField
            label={t.playground.language}
            value={wish.language}
            placeholder={t.playground.byDefault}
            onChange={(event) => change({ language: event.target.value })}
          />
        )}
      </div>
      {translates && (
        <CheckBox label={t.playground.intoEnglish} checked={wish.english} onChange={(english) => change({ english })} />
      )}
      {facts?.prompt !== false && (
        <TextAreaField
          label={t.playground.hints}
          optional
          rows={2}
          spellCheck
          value={wish.prompt}
          placeholder={t.playground.hintsExample}
          onChange={(event) => change({ prompt: event.target.value })}
        />
      )}
    </JobTab>
  );
}
