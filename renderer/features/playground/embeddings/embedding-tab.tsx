import { Waypoints } from "lucide-react";
import type { ReactNode } from "react";
import * as z from "zod";
import { TextAreaField } from "../../../components/ui/field.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { createJobs, type JobContext } from "../calls/jobs.ts";
import { embeddingBody, linesOf, type EmbeddingWish } from "../media/bodies.ts";
import { createMemory, useMemory } from "../memory.ts";
import { ChoiceField } from "../parts/choice-field.tsx";
import { JobTab } from "../parts/job-tab.tsx";
import { useModelFacts } from "../use-model-facts.ts";
import { SimilarityTable, type Vectors } from "./similarity-table.tsx";

export const embeddingMemory = createMemory<EmbeddingWish>("embedding", { model: "", texts: "", dimensions: "" });

const askedSchema = z.looseObject({ input: z.array(z.string()) });
const responseSchema = z.looseObject({ data: z.array(z.looseObject({ embedding: z.array(z.number()) })) });

async function readVectors(response: Response, { body }: JobContext): Promise<Vectors> {
  const { data } = responseSchema.parse(await response.json());
  const { input } = askedSchema.parse(body);
  return { texts: input, vectors: data.map(({ embedding }) => embedding) };
}

const embeddingJobs = createJobs("embedding-jobs", { settles: true, read: readVectors });

/** Makes vectors of texts and says how close they are. */
export function EmbeddingTab(): ReactNode {
  const t = useMessages();
  const wish = useMemory(embeddingMemory);
  const facts = useModelFacts(wish.model)?.embedding ?? null;
  const { change } = embeddingMemory;
  const texts = linesOf(wish.texts);
  const fixed = facts?.dimensions?.length === 0;
  const asked = fixed ? { ...wish, dimensions: "" } : wish;
  return (
    <JobTab
      kind="embedding"
      model={wish.model}
      onModel={(model) => change({ model })}
      title={texts.length === 1 ? (texts[0] ?? "") : t.playground.textCount(texts.length)}
      prompt=""
      jobs={embeddingJobs}
      ready={texts.length > 0 && wish.model !== ""}
      request={() => ({ path: "/v1/embeddings", body: embeddingBody(asked) })}
      quote={{ tool: "embed_text", ask: () => embeddingBody(asked), stamp: JSON.stringify(asked) }}
      icon={<Waypoints size={24} aria-hidden />}
      help={t.playground.embeddingHelp}
      renderResult={(vectors) => <SimilarityTable {...vectors} />}
    >
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
    </JobTab>
  );
}
