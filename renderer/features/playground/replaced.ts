import type { Kind } from "./kinds.ts";
import { createMemory, type Memory } from "./memory.ts";

/** A field that names a model: that of a tab, or the chat's second one. */
export type ModelPlace = Kind | "second";

/** The model that each field named before it was served no more; empty once another was chosen. */
export const replacedMemory: Memory<Readonly<Record<ModelPlace, string>>> = createMemory("replaced", {
  chat: "",
  second: "",
  image: "",
  edit: "",
  speech: "",
  transcription: "",
  video: "",
  embedding: "",
});
