import { AudioLines } from "lucide-react";
import type { ReactNode } from "react";
import { useGateway } from "../../../api/gateway.tsx";
import { TextAreaField } from "../../../components/ui/field.tsx";
import { formatCount } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.tsx";
import { createJobs } from "../calls/jobs.ts";
import { createMemory, useMemory } from "../memory.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { CopyAs } from "../parts/copy-as.tsx";
import { JobForm } from "../parts/job-form.tsx";
import { JobList } from "../parts/job-list.tsx";
import { JobTab } from "../parts/job-tab.tsx";
import { ModelField } from "../parts/model-field.tsx";
import { Quote } from "../parts/quote.tsx";
import { sayAddress } from "../say-address.ts";
import { useModelFacts } from "../use-model-facts.ts";
import { speechBody, type SpeechWish } from "./bodies.ts";
import { KeptResult } from "./kept-result.tsx";
import { readSound, withKept, type MediaResult } from "./media-result.ts";

export const speechMemory = createMemory<SpeechWish>({
  model: "",
  input: "",
  voice: "",
  format: "",
  speed: "",
  instructions: "",
});
const speechJobs = createJobs<MediaResult>();

/** Speaks a text. */
export function SpeechTab(): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const wish = useMemory(speechMemory);
  const { jobs } = useMemory(speechJobs.list);
  const facts = useModelFacts(wish.model)?.speech ?? null;
  const { change } = speechMemory;
  const ready = wish.input.trim() !== "" && wish.model !== "";
  const asked: SpeechWish = {
    ...wish,
    speed: facts?.speed === null ? "" : wish.speed,
    instructions: facts?.instructions === false ? "" : wish.instructions,
  };
  const request = () => ({ path: "/v1/audio/speech", body: speechBody(asked) });
  const length = Array.from(wish.input).length;
  return (
    <JobTab>
      <JobForm
        label={t.playground.tabs.speech}
        running={jobs.some(({ status }) => status === "running")}
        ready={ready}
        onSend={() => {
          sayAddress("speech", wish.model, wish.input);
          speechJobs.start(client, {
            title: wish.input,
            model: wish.model,
            request,
            settles: true,
            read: readSound,
            complete: withKept,
          });
        }}
        onStop={speechJobs.stop}
        actions={
          <>
            <CopyAs request={() => (ready ? request() : null)} />
            <Quote
              tool="synthesize_speech"
              ask={() => (ready ? speechBody(asked) : null)}
              stamp={JSON.stringify(asked)}
            />
          </>
        }
      >
        <ModelField kind="speech" value={wish.model} onChange={(model) => change({ model })} />
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
      </JobForm>
      <JobList
        jobs={jobs}
        icon={<AudioLines size={24} aria-hidden />}
        help={t.playground.speechHelp}
        renderResult={(result) => <KeptResult result={result} />}
      />
    </JobTab>
  );
}
