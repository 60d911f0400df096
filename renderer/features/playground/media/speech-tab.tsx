import { AudioLines } from "lucide-react";
import type { ReactNode } from "react";
import { TextAreaField } from "../../../components/ui/field.tsx";
import { formatCount } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.tsx";
import { createJobs } from "../calls/jobs.ts";
import { createMemory, useMemory } from "../memory.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { JobTab } from "../parts/job-tab.tsx";
import { useModelFacts } from "../use-model-facts.ts";
import { speechBody, type SpeechWish } from "./bodies.ts";
import { KeptResult } from "./kept-result.tsx";
import { soundJobs } from "./media-result.ts";

export const speechMemory = createMemory<SpeechWish>("speech", {
  model: "",
  input: "",
  voice: "",
  format: "",
  speed: "",
  instructions: "",
});
const speechJobs = createJobs("speech-jobs", soundJobs);

const PATH = "/v1/audio/speech";

/** Speaks a text. */
export function SpeechTab(): ReactNode {
  const t = useMessages();
  const wish = useMemory(speechMemory);
  const facts = useModelFacts(wish.model)?.speech ?? null;
  const { change } = speechMemory;
  const asked: SpeechWish = {
    ...wish,
    speed: facts?.speed === null ? "" : wish.speed,
    instructions: facts?.instructions === false ? "" : wish.instructions,
  };
  const length = Array.from(wish.input).length;
  return (
    <JobTab
      kind="speech"
      model={wish.model}
      onModel={(model) => change({ model })}
      title={wish.input}
      prompt={wish.input}
      jobs={speechJobs}
      ready={wish.input.trim() !== "" && wish.model !== ""}
      request={() => ({ path: PATH, body: speechBody(asked) })}
      // SDKs have to be given a voice.
      sample={() => ({
        path: PATH,
        body: speechBody({ ...asked, voice: asked.voice || (facts?.default_voice ?? "") }),
      })}
      quote={{ tool: "synthesize_speech", ask: () => speechBody(asked), stamp: JSON.stringify(asked) }}
      icon={<AudioLines size={24} aria-hidden />}
      help={t.playground.speechHelp}
      renderResult={(result) => <KeptResult result={result} />}
    >
      <TextAreaField
        label={t.playground.text}
        rows={6}
        spellCheck
        value={wish.input}
        placeholder={t.playground.speechExample}
        help={
          facts === null
            ? t.playground.characters(formatCount(length))
            : t.playground.charactersOf(formatCount(length), formatCount(facts.most))
        }
        onChange={(event) => change({ input: event.target.value })}
      />
      <div className="grid grid-cols-2 gap-3">
        <ChoiceField
          label={t.playground.voice}
          value={wish.voice}
          choices={facts?.voices ?? []}
          free={facts === null}
          onChange={(voice) => change({ voice })}
        />
        <ChoiceField
          label={t.playground.format}
          value={wish.format}
          choices={facts?.formats ?? ["mp3", "wav", "opus", "aac", "flac"]}
          free={facts === null}
          onChange={(format) => change({ format })}
        />
        {facts?.speed !== null && (
          <ChoiceField
            label={t.playground.speed}
            value={wish.speed}
            choices={["0.75", "1", "1.25", "1.5"]}
            free
            numeric
            onChange={(speed) => change({ speed })}
          />
        )}
      </div>
      {facts?.instructions !== false && (
        <TextAreaField
          label={t.playground.instructions}
          optional
          rows={2}
          spellCheck
          value={wish.instructions}
          placeholder={t.playground.instructionsExample}
          onChange={(event) => change({ instructions: event.target.value })}
        />
      )}
    </JobTab>
  );
}
