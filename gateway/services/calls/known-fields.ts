import { chatRequestSchema } from "../../contract/chat.ts";
import { embeddingsRequestSchema } from "../../contract/embeddings.ts";
import { imageEditRequestSchema } from "../../contract/image-edits.ts";
import { imageRequestSchema } from "../../contract/images.ts";
import { messagesRequestSchema } from "../../contract/messages.ts";
import { moderationRequestSchema } from "../../contract/moderations.ts";
import { onDemand } from "../../contract/on-demand.ts";
import { openAiVideoRequestSchema } from "../../contract/openai-videos.ts";
import { responsesRequestSchema } from "../../contract/responses.ts";
import { speechRequestSchema } from "../../contract/speech.ts";
import { transcriptionFieldsSchema } from "../../contract/transcription.ts";
import { videoRequestSchema } from "../../contract/videos.ts";
import { refuseFoldedNames } from "../../core/keys/folded-names.ts";
import { reachNames } from "../../providers/reach-rules.ts";

/** Names at the top of requests, of all endpoints together. */
const knownFields = onDemand(() => {
  const schemas = [
    chatRequestSchema,
    messagesRequestSchema,
    responsesRequestSchema,
    embeddingsRequestSchema,
    speechRequestSchema,
    ...imageRequestSchema().options,
    imageEditRequestSchema(),
    openAiVideoRequestSchema,
    videoRequestSchema,
    moderationRequestSchema,
    transcriptionFieldsSchema,
  ];
  return new Set([...schemas.flatMap(({ shape }) => Object.keys(shape)), "file", ...reachNames()]);
});

/**
 * Refuses a request with a field that differs from a known one only in case.
 * @param names of a JSON body's members, or of a form's parts
 * @throws GatewayError unsupported_parameter
 */
export const refuseMiswritten = (names: readonly string[]): void =>
  refuseFoldedNames(names, (name) => knownFields().has(name));
