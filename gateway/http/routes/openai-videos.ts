import type { FormPart } from "../../services/edits/form-part.ts";
import type { OpenAiVideos } from "../../services/videos/openai-videos.ts";
import { sentDocument, sentForm } from "../../services/videos/read-video-form.ts";
import { callInput, keyOf } from "../call-input.ts";
import type { Context } from "../state.ts";
import { sendMedia } from "./media.ts";
import { idOf } from "./videos.ts";

export interface OpenAiVideoRouteDeps {
  readonly openAiVideos: OpenAiVideos;
}

/** OpenAI's `/v1/videos`, for its SDKs: the same tasks in its own words (docs/clients.md#openais-sdk). */
export function openAiVideoRoutes({ openAiVideos }: OpenAiVideoRouteDeps) {
  return {
    async create(context: Context): Promise<void> {
      const { state } = context;
      // Only a JSON body is kept as bytes: a form's bytes are in its parts.
      const sent = state.raw === null ? sentForm(state.body as readonly FormPart[]) : sentDocument(state.body);
      context.body = await openAiVideos.create({
        ...callInput(context),
        sent,
        name: context.get("idempotency-key"),
      });
    },
    async list(context: Context): Promise<void> {
      context.body = await openAiVideos.list(keyOf(context), context.query);
    },
    async retrieve(context: Context): Promise<void> {
      context.body = await openAiVideos.read(keyOf(context), idOf(context));
    },
    async content(context: Context): Promise<void> {
      const { variant } = context.query;
      const opened = await openAiVideos.open(keyOf(context), idOf(context), variant ?? "video");
      try {
        await sendMedia(context, opened);
      } finally {
        await opened.file.close();
      }
    },
    async delete(context: Context): Promise<void> {
      context.body = await openAiVideos.delete(keyOf(context), idOf(context));
    },
  };
}
