import type { ModelSpec, Units } from "../core/models/model.ts";

/** A JSON object of a dialect: a body, a response, or the data of one event of a stream. */
export type Document = Readonly<Record<string, unknown>>;

/** Facts that a translation may need in addition to the body. Everything that is not pure is an argument. */
export interface TranslationContext {
  /** Public id of the model, as requested by the client and returned to it. */
  readonly publicModel: string;
  /** Null for models that only a provider's list names. */
  readonly model: ModelSpec | null;
  /** Unix seconds. */
  readonly now: number;
  /** A fresh id: base62, 24 characters. */
  readonly newId: () => string;
}

/**
 * A call, translated from the dialect of its client into that of its provider, and its response back. Created for each call;
 * it keeps the facts of the request that the response needs.
 */
export interface Translation {
  /** The request in the provider's dialect; `model` is the public id, which the provider's adapter replaces. */
  readonly body: Document;
  /**
   * Translates a complete response to the client's dialect.
   * @param units billed units, so that the client sees the same figures as the receipt.
   */
  response(response: Document, units: Units): Document;
  /** Returns a new translation for a stream. */
  stream(): StreamTranslation;
}

/** A stream on its way back: the data of the provider's events in, the data of the client's events out, in order. */
export interface StreamTranslation {
  event(data: Document): readonly Document[];
  /**
   * Returns the client's closing events after the provider's last event. Called once, and not after an error.
   * @param units as for a complete response.
   */
  end(units: Units): readonly Document[];
}

/** Creates a translation. @throws GatewayError for features that the other dialect lacks. */
export type Translate = (body: Document, context: TranslationContext) => Translation;

/** A translation into a middle dialect, and that of its body into the provider's, as one. */
export function chainTranslations(first: Translation, second: Translation): Translation {
  return {
    body: second.body,
    response: (response, units) => first.response(second.response(response, units), units),
    stream: () => {
      const near = first.stream();
      const far = second.stream();
      return {
        event: (data) => far.event(data).flatMap((middle) => near.event(middle)),
        end: (units) => [...far.end(units).flatMap((middle) => near.event(middle)), ...near.end(units)],
      };
    },
  };
}
