import { setImmediate as nextTurn } from "node:timers/promises";
import type { Document } from "../../codecs/translation.ts";
import { describedWords, failedWords, createMissingWords } from "../../core/chat/description-prompt.ts";
import type { Numbered } from "../../core/chat/description-prompt.ts";
import { unseenMedia, withWords } from "../../core/chat/unseen-media.ts";
import type { PromptDialect, Untaken } from "../../core/chat/unseen-media.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Identity } from "../../core/sessions/identity.ts";
import { unlessAborted } from "../../lib/abortable.ts";
import { Limiter } from "../../lib/limiter.ts";
import { ClientCancelled } from "../calls/attempts.ts";
import type { Client } from "../calls/client.ts";
import type { Events } from "../events.ts";
import type { RingKey } from "../keys/key-ring.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import { getAbilities } from "../models/served-model.ts";
import type { ServedModel } from "../models/served-model.ts";
import type { AppSettings } from "../settings.ts";
import type { Described, DescribeMedium } from "./describe-medium.ts";
import { getDescriptionId, Descriptions } from "./descriptions.ts";

/**
 * Max pictures of one request that are described concurrently, or fewer if the key allows fewer calls. With a money
 * limit it is one: the hold for the first may be all that is left until its cost is known.
 */
const AT_ONCE = 4;

export interface MediaInWordsDeps {
  readonly settings: Pick<AppSettings, "get">;
  readonly events: Pick<Events, "on">;
  /** Without routes. */
  readonly resolveModel: Pick<ResolveModel, "find">;
  readonly describe: DescribeMedium;
}

/** A prompt for a model. */
export interface PromptFor {
  readonly dialect: PromptDialect;
  /** Checked. */
  readonly body: Document;
  readonly servedModel: ServedModel;
  readonly key: RingKey;
  /** Session, project and agent, for the receipts of the description calls. */
  readonly identity?: Identity | undefined;
  /**
   * The waiting client. Null for estimates: no call is made, and media without a description counts as a short note.
   */
  readonly client: Client | null;
  /** Throws if the prompt's own call would not be admitted, before descriptions are paid for. */
  readonly rehearse?: (body: Document) => void;
}

/**
 * Replaces pictures and files that a model certainly does not take (`abilitiesOf`) by text: a description from a chosen
 * model, or a note that they were there. Off unless the user enables one of the two.
 */
export class MediaInWords {
  readonly #deps: MediaInWordsDeps;
  readonly #known = new Descriptions();
  /** Running descriptions, so that concurrent calls ask once. Null: it was given up. */
  readonly #running = new Map<string, Promise<Described | null>>();
  #on = false;

  constructor(deps: MediaInWordsDeps) {
    this.#deps = deps;
    const look = (): void => {
      this.#on = deps.settings.get("pictures_as_words") || deps.settings.get("picture_model") !== null;
    };
    look();
    deps.events.on("settings.changed", look);
  }

  /** The only check that calls make while it is off. */
  get on(): boolean {
    return this.#on;
  }

  /**
   * @returns the body with text in place of unsupported media; null if there is nothing to replace
   * @throws GatewayError insufficient_quota if the key cannot pay for descriptions; ClientCancelled
   */
  replace(prompt: PromptFor): Promise<Document> | null {
    const { pictures, files } = getAbilities(prompt.servedModel);
    const untaken: Untaken = { pictures: pictures === false, files: files === false };
    if (!untaken.pictures && !untaken.files) return null;
    const media = numberMedia(prompt, untaken);
    return media.length === 0 ? null : this.#replaceMedia(prompt, untaken, media);
  }

  async #replaceMedia(prompt: PromptFor, untaken: Untaken, media: readonly Numbered[]): Promise<Document> {
    const { dialect, body, servedModel } = prompt;
    const name = this.#deps.settings.get("picture_model");
    if (name !== null && prompt.client !== null)
      prompt.rehearse?.(
        withWords(dialect, body, untaken, await this.#describeMedia({ ...prompt, client: null }, media, name)),
      );
    const words =
      name === null
        ? media.map((each) => createMissingWords(each, servedModel.id))
        : await this.#describeMedia(prompt, media, name);
    return withWords(dialect, body, untaken, words);
  }

  async #describeMedia(prompt: PromptFor, media: readonly Numbered[], name: string): Promise<readonly string[]> {
    const { servedModel, client, key } = prompt;
    const by = await this.#describer(name);
    if ("reason" in by) return media.map((each) => failedWords(each, servedModel.id, name, by.reason));
    if (client === null)
      return media.map((each) => describedWords(each, by.id, this.#findDescription(prompt, each, by) ?? "…"));

    const gone = new AbortController();
    if (client.cancelled) throw new ClientCancelled();
    client.onCancelled(() => gone.abort());
    const failures: unknown[] = [];
    const atOnce = this.#deps.describe.isMetered(by, prompt) ? 1 : Math.min(AT_ONCE, key.record.concurrency ?? AT_ONCE);
    const limiter = new Limiter({ each: atOnce });
    const describe = async (each: Numbered): Promise<string> => {
      try {
        // Hashing some megabytes takes a while.
        await nextTurn();
        const described = await this.#describe(prompt, each, by, gone.signal);
        return "text" in described
          ? describedWords(each, by.id, described.text)
          : failedWords(each, servedModel.id, by.id, described.reason);
      } catch (error) {
        failures.push(error);
        // The others are for nothing now.
        gone.abort();
        return "";
      }
    };
    try {
      const words = await Promise.all(media.map((each) => limiter.run("", () => describe(each))));
      if (failures.length > 0) throw failures[0];
      return words;
    } finally {
      client.onCancelled(null);
    }
  }

  async #describer(name: string): Promise<ServedModel | { readonly reason: string }> {
    try {
      return await this.#deps.resolveModel.find(name, "chat");
    } catch (error) {
      if (error instanceof GatewayError) return { reason: error.message };
      throw error;
    }
  }

  #findDescription({ key }: PromptFor, { medium }: Numbered, by: ServedModel): string | undefined {
    return this.#known.get(getDescriptionId(medium, by.id, key.record.id));
  }

  async #describe(prompt: PromptFor, { medium }: Numbered, by: ServedModel, signal: AbortSignal): Promise<Described> {
    const { url } = medium;
    if (url === null) return { reason: "it is named by an id that only the provider which keeps it knows." };
    const sees = getAbilities(by)[medium.kind === "picture" ? "pictures" : "files"] !== false;
    if (!sees) return { reason: "it takes none either." };
    const id = getDescriptionId(medium, by.id, prompt.key.record.id);
    for (;;) {
      if (signal.aborted) throw new ClientCancelled();
      const text = this.#known.get(id);
      if (text !== undefined) return { text };
      const running = this.#running.get(id);
      if (running === undefined) break;
      const described = await unlessAborted(running, signal);
      if (described !== null) return described;
    }
    const outcome = Promise.withResolvers<Described | null>();
    this.#running.set(id, outcome.promise);
    let described: Described | null = null;
    try {
      described = await this.#deps.describe.run(by, medium, url, prompt, signal);
      if ("text" in described) this.#known.set(id, described.text);
      return described;
    } finally {
      this.#running.delete(id);
      outcome.resolve(described);
    }
  }
}

/** Pictures and files are numbered separately, so that their descriptions stay the same as a session grows. */
function numberMedia({ dialect, body }: PromptFor, untaken: Untaken): readonly Numbered[] {
  const counts = { picture: 0, file: 0 };
  return unseenMedia(dialect, body, untaken).map((medium) => ({ medium, number: ++counts[medium.kind] }));
}
