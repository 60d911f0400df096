import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { chatMemory } from "./chat/chat-memory.ts";
import { embeddingMemory } from "./embeddings/embedding-tab.tsx";
import { isServed, startingModel, type Kind } from "./kinds.ts";
import { editMemory } from "./media/edit-memory.ts";
import { imageMemory } from "./media/image-tab.tsx";
import { speechMemory } from "./media/speech-tab.tsx";
import { videoMemory } from "./media/video-tab.tsx";
import type { Memory } from "./memory.ts";
import { replacedMemory } from "./replaced.ts";

interface Form {
  model(): string;
  choose(model: string): void;
  /** Fills in a prompt where none is written. */
  fill(prompt: string): void;
}

/** @param field where the prompt is written */
function formOf<Field extends string>(
  memory: Memory<{ readonly model: string } & Readonly<Record<Field, string>>>,
  field: Field,
): Form {
  return {
    model: () => memory.get().model,
    choose: (model) => memory.update((before) => ({ ...before, model })),
    fill: (prompt) => memory.update((before) => (before[field] === "" ? { ...before, [field]: prompt } : before)),
  };
}

const forms: Readonly<Record<Kind, Form>> = {
  chat: formOf(chatMemory, "draft"),
  image: formOf(imageMemory, "prompt"),
  edit: formOf(editMemory, "prompt"),
  speech: formOf(speechMemory, "input"),
  video: formOf(videoMemory, "prompt"),
  embedding: formOf(embeddingMemory, "texts"),
};

/**
 * Puts what an address asks for into its form. A form without a model, or with one that is served no more, gets the
 * first that can do it, and the form says which one is gone.
 */
export function takeAddress(kind: Kind, params: URLSearchParams, models: readonly ModelView[]): void {
  const form = forms[kind];
  const chosen = params.get("model") ?? form.model();
  const model = startingModel(kind, chosen, models);
  if (model !== form.model()) form.choose(model);
  if (model !== chosen || params.has("model")) replacedMemory.change({ [kind]: model === chosen ? "" : chosen });
  const { second } = chatMemory.get();
  if (kind === "chat" && second !== "" && !isServed(second, models)) {
    chatMemory.change({ second: "" });
    replacedMemory.change({ second });
  }
  const prompt = params.get("prompt");
  if (prompt !== null) form.fill(prompt);
}
