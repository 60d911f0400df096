import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { chatMemory } from "./chat/chat-memory.ts";
import { embeddingMemory } from "./embeddings/embedding-tab.tsx";
import { isServed, startingModel, type Kind } from "./kinds.ts";
import { editMemory } from "./media/edit-memory.ts";
import { imageMemory } from "./media/image-tab.tsx";
import { speechMemory } from "./media/speech-tab.tsx";
import { transcriptionMemory } from "./transcription/transcription-tab.tsx";
import { videoMemory } from "./media/video-tab.tsx";
import type { Memory } from "./memory.ts";
import type { Variation } from "./media-address.ts";
import type { Picture } from "./pictures/picture.ts";
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
  chat: {
    model: () => chatMemory.get().models[0] ?? "",
    choose: (model) => chatMemory.update((before) => ({ ...before, models: before.models.with(0, model) })),
    fill: (prompt) => chatMemory.update((before) => (before.draft === "" ? { ...before, draft: prompt } : before)),
  },
  image: formOf(imageMemory, "prompt"),
  edit: formOf(editMemory, "prompt"),
  speech: formOf(speechMemory, "input"),
  transcription: formOf(transcriptionMemory, "prompt"),
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
  if (kind === "chat") closeUnserved(models);
  const prompt = params.get("prompt");
  if (prompt !== null) form.fill(prompt);
}

/** Takes away the chat's further models that are served no more, and those that are there twice. */
function closeUnserved(models: readonly ModelView[]): void {
  const [first = "", ...others] = chatMemory.get().models;
  const gone = others.filter((model) => !isServed(model, models));
  const left = others.filter((model) => model !== first && !gone.includes(model));
  if (left.length === others.length) return;
  chatMemory.change({ models: [first, ...left] });
  if (gone.length > 0) replacedMemory.change({ second: gone.join(", ") });
}

/** Puts a variation into its form. @returns what puts back what was there */
export function takeVariation({ kind, fields }: Variation): () => void {
  const undoOf = <Value extends object>(memory: Memory<Value>): (() => void) => {
    const before = memory.get();
    memory.change(fields as Partial<Value>);
    return () => memory.change(before);
  };
  switch (kind) {
    case "image":
      return undoOf(imageMemory);
    case "edit":
      return undoOf(editMemory);
    case "speech":
      return undoOf(speechMemory);
    case "video":
      return undoOf(videoMemory);
  }
}

/** Gives a picture to the form of a kind; kinds that take none are left as they are. */
export function takePicture(kind: Kind, picture: Picture): void {
  if (kind === "edit") editMemory.change({ pictures: [picture], shapes: [], failed: false });
  else if (kind === "video") videoMemory.change({ first: picture });
  else if (kind === "image") imageMemory.change({ pictures: [picture] });
  else if (kind === "chat") chatMemory.update((before) => ({ ...before, pictures: [...before.pictures, picture] }));
}
