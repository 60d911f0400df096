import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { chatMemory } from "./chat/chat-memory.ts";
import { isServed, startingModel, type Kind } from "./kinds.ts";
import { TEXT_FIELDS } from "./media/media-forms.ts";
import { mediaMemories } from "./media/media-memory.ts";
import type { Variation } from "./media-address.ts";
import type { Picture } from "./pictures/picture.ts";
import { replacedMemory } from "./replaced.ts";

interface Form {
  model(): string;
  choose(model: string): void;
  /** Sets a prompt if the form has none. */
  fill(prompt: string): void;
}

function createForm(kind: Kind): Form {
  if (kind === "chat") {
    return {
      model: () => chatMemory.get().models[0] ?? "",
      choose: (model) => chatMemory.update((before) => ({ ...before, models: before.models.with(0, model) })),
      fill: (prompt) => chatMemory.update((before) => (before.draft === "" ? { ...before, draft: prompt } : before)),
    };
  }
  const { get, change } = mediaMemories[kind];
  const field = TEXT_FIELDS[kind];
  return {
    model: () => get().model,
    choose: (model) => change({ model }),
    fill: (prompt) => {
      const { typed } = get();
      if ((typed[field] ?? "") === "") change({ typed: { ...typed, [field]: prompt } });
    },
  };
}

/**
 * Applies an address to its form. A form without a model, or with an unserved one, gets the first suitable one, and
 * shows which one is gone.
 */
export function takeAddress(kind: Kind, params: URLSearchParams, models: readonly ModelView[]): void {
  const form = createForm(kind);
  const chosen = params.get("model") ?? form.model();
  const model = startingModel(kind, chosen, models);
  if (model !== form.model()) form.choose(model);
  if (model !== chosen || params.has("model")) replacedMemory.change({ [kind]: model === chosen ? "" : chosen });
  if (kind === "chat") closeUnserved(models);
  const prompt = params.get("prompt");
  if (prompt !== null) form.fill(prompt);
}

/** Removes additional chat models that are no longer served or duplicate. */
function closeUnserved(models: readonly ModelView[]): void {
  const [first = "", ...others] = chatMemory.get().models;
  const gone = others.filter((model) => !isServed(model, models));
  const left = others.filter((model) => model !== first && !gone.includes(model));
  if (left.length === others.length) return;
  chatMemory.change({ models: [first, ...left] });
  if (gone.length > 0) replacedMemory.change({ second: gone.join(", ") });
}

/** Applies a variation to its form. @returns a function that restores the earlier values */
export function takeVariation({ kind, model, typed }: Variation): () => void {
  const memory = mediaMemories[kind];
  const before = memory.get();
  memory.change({ model, typed });
  return () => memory.change(before);
}

/** Adds a picture to the form of a kind; kinds without pictures are unchanged. */
export function takePicture(kind: Kind, picture: Picture): void {
  if (kind === "chat") chatMemory.update((before) => ({ ...before, pictures: [...before.pictures, picture] }));
  else mediaMemories[kind].change({ pictures: [picture], shapes: [], failed: false });
}
