import type * as z from "zod";

type Schema = z.ZodType;

/** An operation of the public API, as in `/openapi.json`. The schemas are those that check requests. */
export interface PublicOperation {
  readonly method: "get" | "post" | "delete";
  /** Path with `{id}` for parameters. */
  readonly path: string;
  readonly id: string;
  readonly group:
    | "Conversations"
    | "Gemini"
    | "Ollama"
    | "Embeddings"
    | "Speech"
    | "Transcription"
    | "Images"
    | "Videos"
    | "Moderation"
    | "Models"
    | "Quota";
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  /** Bodies by content type. */
  readonly request?: Readonly<Record<string, Schema>>;
  /** Success statuses; `200` by default. */
  readonly statuses?: readonly ("200" | "202")[];
  /** Bodies by content type; null for bytes and for streams of events. */
  readonly responses: Readonly<Record<string, readonly Schema[] | null>>;
  readonly errors: readonly ("nested" | "flat" | "anthropic" | "google" | "ollama")[];
}
