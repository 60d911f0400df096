import { reply, type WireAct, type WireSeen } from "./wire-provider.ts";

/** The texts of an embeddings request. */
export function inputsOf(seen: WireSeen): readonly string[] {
  return (seen.json as { input: readonly string[] }).input;
}

/** The vector that `embedAct` gives to a text: its last number, and three more that are exact in float32. */
export function vectorFor(text: string): readonly number[] {
  const number = Number(/(\d+)$/.exec(text)?.[1] ?? text.length);
  return [number, 0.5, -0.25, 0.125];
}

export interface EmbedOptions {
  /** `usage` of the response to so many inputs; left out when null. */
  readonly usage?: ((inputs: readonly string[]) => unknown) | null;
  /** Puts the items of `data` in another order. */
  readonly arrange?: <T>(items: readonly T[]) => readonly T[];
  /** Resolves when the response may leave. */
  readonly when?: (inputs: readonly string[]) => Promise<unknown>;
}

/** Answers as the common embeddings API does: one token a text unless given otherwise. */
export function embedAct(options: EmbedOptions = {}): WireAct {
  const {
    usage = (inputs) => ({ prompt_tokens: inputs.length, total_tokens: inputs.length }),
    arrange,
    when,
  } = options;
  return async (seen, outgoing) => {
    const inputs = inputsOf(seen);
    await when?.(inputs);
    const items = inputs.map((text, index) => ({ object: "embedding", index, embedding: vectorFor(text) }));
    const body = {
      object: "list",
      data: arrange === undefined ? items : arrange(items),
      model: "as-the-provider-names-it",
      ...(usage === null ? {} : { usage: usage(inputs) }),
    };
    await reply(200, body)(seen, outgoing);
  };
}

/** `text 0`, `text 1`, … */
export function texts(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `text ${index}`);
}

/** The response of `POST /v1/embeddings`. */
export interface EmbeddingResponse {
  readonly object: string;
  readonly model: string;
  readonly data: readonly { object: string; index: number; embedding: readonly number[] }[];
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
}

export async function responseOf(response: Response): Promise<EmbeddingResponse> {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as EmbeddingResponse;
}
