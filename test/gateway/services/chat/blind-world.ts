import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import type { Abilities, ModelSpec } from "../../../../gateway/core/models/model.ts";
import { png } from "../../../support/pictures.ts";
import { startGateway, type TestGateway, type TestKey, providersAt } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { WireProvider, reply, type WireAct, type WireSeen } from "../../../support/wire-provider.ts";
import { completionBody } from "../../../support/acts.ts";

/** A model that takes nothing but text, and one that describes pictures to it, at a provider each. */

export const BLIND = "deepseek-chat";
export const SIGHTED = "gpt-4.1-mini";

/** Sets what the catalog knows of a model, until that is taken back. */
export function nowTakes(id: string, abilities: Abilities): { restore(): void } {
  const spec = findModel(id) as { -readonly [Name in keyof ModelSpec]: ModelSpec[Name] };
  const before = spec.abilities;
  spec.abilities = abilities;
  return {
    restore() {
      if (before === undefined) delete spec.abilities;
      else spec.abilities = before;
    },
  };
}

export const completion = (
  text: string,
  usage = { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050 },
) => completionBody(text, usage);
export const says = (text: string): WireAct => reply(200, completion(text));

/** As DeepSeek does: nothing but text. */
const onlyText: WireAct = (seen, outgoing) => {
  const isWords = !/"(?:image_url|image|input_image|file)"/.test(seen.body.toString());
  return isWords
    ? says("done")(seen, outgoing)
    : reply(400, { error: { message: "unknown variant `image_url`", type: "invalid_request_error" } })(seen, outgoing);
};

/** What the sighted model says of a picture or a file: another thing of each. */
export const seenIn = (url: string): string => `seen ${createHash("sha256").update(url).digest("hex").slice(0, 12)}`;
/** How that comes to the other model. */
export const told = (url: string, number = 1): string => `[Picture ${number}, described by ${SIGHTED}: ${seenIn(url)}]`;
export const describes: WireAct = (seen, outgoing) => says(seenIn(shownTo(seen)))(seen, outgoing);

interface Shown {
  readonly messages: readonly {
    readonly content: readonly {
      readonly image_url?: { readonly url: string };
      readonly file?: { readonly file_data: string };
    }[];
  }[];
}

/** What the sighted model was asked about. */
export function shownTo({ json }: WireSeen): string {
  const [block] = (json as Shown).messages[0]?.content.slice(1) ?? [];
  return block?.image_url?.url ?? block?.file?.file_data ?? "";
}

/** A picture, another one for each number. */
export const dataUrl = (padding: number): string => `data:image/png;base64,${png({ padding }).toString("base64")}`;
export const image = (url: string) => ({ type: "image_url", image_url: { url } });
export const text = (words: string) => ({ type: "text", text: words });
export const ask = (...content: object[]) => ({ model: BLIND, messages: [{ role: "user", content }] });

export interface BlindWorld {
  readonly postern: TestGateway;
  readonly blind: WireProvider;
  readonly sighted: WireProvider;
  set(change: object): Promise<unknown>;
  /** The words that reached the text-only model last, block by block. */
  heard(): string[];
}

/** Both models behind one Postern, whose pictures the sighted one describes before each test. */
export function useBlindWorld(keys: readonly TestKey[] = []): BlindWorld {
  const clock = new TestClock();
  const blind = new WireProvider();
  const sighted = new WireProvider();
  let postern: TestGateway;
  let taken: { restore(): void };
  const set = (change: object): Promise<unknown> => postern.ask("PATCH", "/settings", change);

  beforeAll(async () => {
    taken = nowTakes(BLIND, { pictures: false, files: false });
    await Promise.all([blind.listen(), sighted.listen()]);
    postern = await startGateway({
      clock,
      keys,
      env: providersAt({ DEEPSEEK: `${blind.origin}/v1`, OPENAI: `${sighted.origin}/v1` }),
    });
  });
  beforeEach(async () => {
    for (const provider of [blind, sighted]) provider.reset();
    blind.on("POST /v1/chat/completions", onlyText);
    sighted.on("POST /v1/chat/completions", describes);
    await set({ picture_model: SIGHTED, pictures_as_words: false });
  });
  // What a provider failed with is forgotten before the next test.
  afterEach(() => clock.advance(10 * 60_000));
  afterAll(async () => {
    taken.restore();
    await postern.close();
    await Promise.all([blind.close(), sighted.close()]);
  });
  return {
    get postern() {
      return postern;
    },
    blind,
    sighted,
    set,
    heard() {
      const { messages } = (blind.seen.at(-1) as WireSeen).json as {
        messages: { content: string | { text?: string }[] | null }[];
      };
      return messages.flatMap(({ content }) =>
        typeof content === "string" ? [content] : (content ?? []).map((block) => block.text ?? JSON.stringify(block)),
      );
    },
  };
}
