/** Kinds of calls, in the order of the tabs. */
export const kinds = ["chat", "image", "edit", "speech", "transcription", "video", "embedding"] as const;
export type Kind = (typeof kinds)[number];
export type MediaKind = Exclude<Kind, "chat">;
export const mediaKinds = kinds.filter((kind) => kind !== "chat");

/** Capability that a kind needs from a model, by the gateway's names. */
export const capabilityOf: Readonly<Record<Kind, string>> = {
  chat: "chat",
  image: "image",
  edit: "image_edit",
  speech: "speech",
  transcription: "transcription",
  video: "video",
  embedding: "embedding",
};

export function isKind(text: string | null): text is Kind {
  return kinds.some((kind) => kind === text);
}

interface Able {
  readonly id: string;
  readonly capabilities: readonly string[];
}

/** Returns the kind of an address: the given one, else the model's first capability, else chat. */
export function chooseKind(requested: string | null, model: string | null, models: readonly Able[]): Kind {
  if (isKind(requested)) return requested;
  const able = models.find(({ id }) => id === model)?.capabilities ?? [];
  return kinds.find((kind) => able.includes(capabilityOf[kind])) ?? "chat";
}

interface Named extends Able {
  readonly served: boolean;
  readonly aliases: readonly string[];
  readonly other_names: readonly string[];
}

/** Returns the initial model: the chosen one, else the first with the capability; the chosen one also if no model has it. */
export function startingModel(kind: Kind, chosen: string, models: readonly Named[]): string {
  if (isServed(chosen, models)) return chosen;
  const able = models.filter(({ served, capabilities }) => served && capabilities.includes(capabilityOf[kind]));
  return (able.find(({ id }) => id === USUAL_MODEL) ?? able[0])?.id ?? chosen;
}

/** Whether calls by this name reach a model now: its id, an alias, or another name that it has. */
export function isServed(name: string, models: readonly Named[]): boolean {
  return models.some(
    ({ served, id, aliases, other_names }) => served && [id, ...aliases, ...other_names].includes(name),
  );
}

const USUAL_MODEL = "gpt-5.4-mini";
