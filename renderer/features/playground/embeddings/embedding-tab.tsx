import { Waypoints } from "lucide-react";
import type { ReactNode } from "react";
import * as z from "zod";
import { useGateway } from "../../../api/gateway.tsx";
import { TextAreaField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { createJobs } from "../calls/jobs.ts";
import { embeddingBody, linesOf, type EmbeddingWish } from "../media/bodies.ts";
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
import { SimilarityTable } from "./similarity-table.tsx";

export const embeddingMemory = createMemory<EmbeddingWish>({ model: "", texts: "", dimensions: "" });

export interface Vectors {
  readonly texts: readonly string[];
  readonly vectors: readonly (readonly number[])[];
}
const embeddingJobs = createJobs<Vectors>();

const answerSchema = z.looseObject({ data: z.array(z.looseObject({ embedding: z.array(z.number()) })) });

/** Makes vectors of texts and says how close they are. */
export function EmbeddingTab(): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const wish = useMemory(embeddingMemory);
  const { jobs } = useMemory(embeddingJobs.list);
  const facts = useModelFacts(wish.model)?.embedding ?? null;
  const { change } = embeddingMemory;
  const texts = linesOf(wish.texts);
  const ready = texts.length > 0 && wish.model !== "";
  const fixed = facts?.dimensions?.length === 0;
  const asked = fixed ? { ...wish, dimensions: "" } : wish;
  const request = () => ({ path: "/v1/embeddings", body: embeddingBody(asked) });
  return (
    <JobTab>
      <JobForm
        label={t.playground.tabs.embedding}
        running={jobs.some(({ status }) => status === "running")}
        ready={ready}
        onSend={() => {
          sayAddress("embedding", wish.model, "");
          embeddingJobs.start(client, {
            title: texts.length === 1 ? (texts[0] ?? "") : t.playground.textCount(texts.length),
            model: wish.model,
            request,
            settles: true,
            async read(response) {
              const { data } = answerSchema.parse(await response.json());
              return { texts, vectors: data.map(({ embedding }) => embedding) };
            },
          });
        }}
        onStop={embeddingJobs.stop}
        actions={
          <>
            <CopyAs request={() => (ready ? request() : null)} />
            <Quote tool="embed_text" ask={() => (ready ? embeddingBody(asked) : null)} stamp={JSON.stringify(asked)} />
          </>
        }
      >
        <ModelField kind="embedding" value={wish.model} onChange={(model) => change({ model })} />
        <TextAreaField
          label={t.playground.texts}
          rows={7}
          spellCheck
          value={wish.texts}
          help={t.playground.oneALine}
          placeholder={t.playground.textsExample}
          onChange={(event) => change({ texts: event.target.value })}
        />
        {!fixed && (
          <ChoiceField
            label={t.playground.dimensions}
            value={wish.dimensions}
            choices={(facts?.dimensions ?? []).map(String)}
            free={(facts?.dimensions ?? null) === null}
            numeric
            {...(facts !== null && { help: t.playground.standard(facts.standard) })}
            onChange={(dimensions) => change({ dimensions })}
          />
        )}
      </JobForm>
      <JobList
        jobs={jobs}
        icon={<Waypoints size={24} aria-hidden />}
        help={t.playground.embeddingHelp}
        renderResult={(vectors) => <SimilarityTable {...vectors} />}
      />
    </JobTab>
  );
}
