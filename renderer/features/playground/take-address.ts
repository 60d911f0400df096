import { chatMemory } from "./chat/chat-memory.ts";
import { embeddingMemory } from "./embeddings/embedding-tab.tsx";
import { startingModel, type Kind } from "./kinds.ts";
import { editMemory } from "./media/edit-memory.ts";
import { imageMemory } from "./media/image-tab.tsx";
import { speechMemory } from "./media/speech-tab.tsx";
import { videoMemory } from "./media/video-tab.tsx";

interface Form {
  model(): string;
  choose(model: string): void;
  /** Fills in a prompt where none is written. */
  fill(prompt: string): void;
}

const forms: Readonly<Record<Kind, Form>> = {
  chat: {
    model: () => chatMemory.get().model,
    choose: (model) => chatMemory.change({ model }),
    fill: (draft) => chatMemory.get().draft === "" && chatMemory.change({ draft }),
  },
  image: {
    model: () => imageMemory.get().model,
    choose: (model) => imageMemory.change({ model }),
    fill: (prompt) => imageMemory.get().prompt === "" && imageMemory.change({ prompt }),
  },
  edit: {
    model: () => editMemory.get().model,
    choose: (model) => editMemory.change({ model }),
    fill: (prompt) => editMemory.get().prompt === "" && editMemory.change({ prompt }),
  },
  speech: {
    model: () => speechMemory.get().model,
    choose: (model) => speechMemory.change({ model }),
    fill: (input) => speechMemory.get().input === "" && speechMemory.change({ input }),
  },
  video: {
    model: () => videoMemory.get().model,
    choose: (model) => videoMemory.change({ model }),
    fill: (prompt) => videoMemory.get().prompt === "" && videoMemory.change({ prompt }),
  },
  embedding: {
    model: () => embeddingMemory.get().model,
    choose: (model) => embeddingMemory.change({ model }),
    fill: (texts) => embeddingMemory.get().texts === "" && embeddingMemory.change({ texts }),
  },
};

/** Puts what an address asks for into its form; a form without a model gets the first that can do it. */
export function takeAddress(
  kind: Kind,
  params: URLSearchParams,
  models: readonly { readonly id: string; readonly capabilities: readonly string[] }[],
): void {
  const form = forms[kind];
  const chosen = params.get("model") ?? form.model();
  const model = startingModel(kind, chosen, models);
  if (model !== form.model()) form.choose(model);
  const prompt = params.get("prompt");
  if (prompt !== null) form.fill(prompt);
}
