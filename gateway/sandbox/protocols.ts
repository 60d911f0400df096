import type { ModelSpec } from "../core/models/model.ts";
import { chatRoutes } from "./chat/routes.ts";
import {
  DASHSCOPE_EMBEDDINGS,
  embeddingsRoutes,
  GEMINI_EMBEDDINGS,
  OPENAI_EMBEDDINGS,
  voyageProtocol,
} from "./embeddings/routes.ts";
import { bearerKey, googleKey, modelRoutes, type Protocol, type Route } from "./exchange.ts";
import { failureBody } from "./fields.ts";
import { providerIds } from "../providers/registry.ts";
import { arkImageRoutes } from "./images/ark.ts";
import { dashscopeImages } from "./images/dashscope.ts";
import { geminiImageRoutes } from "./images/gemini.ts";
import { openaiImageRoutes } from "./images/openai.ts";
import { imageFiles } from "./images/picture.ts";
import { xaiImageRoutes } from "./images/xai.ts";
import { anthropicProtocol } from "./messages/protocol.ts";
import { multimodalRoute } from "./multimodal.ts";
import { responsesRoutes } from "./responses/routes.ts";
import { dashscopeSpeech, dashscopeSpeechFiles } from "./speech/dashscope.ts";
import { speechRoutes } from "./speech/openai.ts";
import { arkVideoRoutes } from "./videos/ark.ts";
import { dashscopeVideoRoutes } from "./videos/dashscope.ts";
import { openaiVideoRoutes } from "./videos/openai.ts";
import { xaiVideoRoutes } from "./videos/xai.ts";

/** Every protocol of the sandbox, listed by hand. Each thing that a provider can do is a folder that makes its routes. */
export function protocolsOf(models: () => readonly ModelSpec[]): readonly Protocol[] {
  const common = { keyOf: bearerKey, failureBody };
  return [
    // Providers of conversation alone; those with a protocol of their own below have it in the place of this.
    ...providerIds.map((provider) => ({
      ...common,
      provider,
      routes: [...modelRoutes("/v1", models, ["chat"]), ...chatRoutes("/v1", models)],
    })),
    { ...common, provider: "openai", routes: [...openaiRoutes(models), ...responsesRoutes("/v1", models)] },
    { ...common, provider: "openai-compatible", routes: openaiRoutes(models) },
    {
      ...common,
      provider: "dashscope",
      routes: [
        ...chatRoutes("/compatible-mode/v1", models),
        ...embeddingsRoutes(DASHSCOPE_EMBEDDINGS, models),
        multimodalRoute([dashscopeSpeech(models), dashscopeImages(models)]),
        dashscopeSpeechFiles,
        imageFiles,
        ...dashscopeVideoRoutes(models),
      ],
    },
    {
      ...common,
      keyOf: googleKey,
      provider: "gemini",
      routes: [
        ...chatRoutes("/v1beta/openai", models),
        ...embeddingsRoutes(GEMINI_EMBEDDINGS, models),
        ...geminiImageRoutes(models),
      ],
    },
    anthropicProtocol(models),
    voyageProtocol(models),
    {
      ...common,
      provider: "ark",
      routes: [
        ...chatRoutes("/api/v3", models),
        ...arkImageRoutes("/api/v3", models),
        ...arkVideoRoutes("/api/v3", models),
      ],
    },
    {
      ...common,
      provider: "xai",
      routes: [
        ...modelRoutes("/v1", models, ["chat", "image", "image_edit", "video"]),
        ...chatRoutes("/v1", models),
        ...xaiImageRoutes("/v1", models),
        ...xaiVideoRoutes("/v1", models),
      ],
    },
  ];
}

/** What servers that follow OpenAI have. Made for each of them: what they remember of tasks is their own. */
function openaiRoutes(models: () => readonly ModelSpec[]): readonly Route[] {
  return [
    ...modelRoutes("/v1", models, ["chat", "embedding", "speech", "image", "image_edit", "video"]),
    ...chatRoutes("/v1", models),
    ...embeddingsRoutes(OPENAI_EMBEDDINGS, models),
    ...speechRoutes("/v1", models),
    ...openaiImageRoutes("/v1", models),
    ...openaiVideoRoutes("/v1", models),
  ];
}
