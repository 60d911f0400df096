import type { ModelSpec } from "../core/model.ts";
import { chatRoutes } from "./chat/routes.ts";
import { DASHSCOPE_EMBEDDINGS, GEMINI_EMBEDDINGS, OPENAI_EMBEDDINGS } from "./embeddings/dialects.ts";
import { embeddingsRoutes } from "./embeddings/routes.ts";
import { voyageProtocol } from "./embeddings/voyage.ts";
import { failureBody } from "./failure.ts";
import { modelRoutes } from "./models.ts";
import { bearerKey, type Protocol } from "./protocol.ts";

/** Every protocol of the sandbox, listed by hand. Each thing that a vendor can do is a folder that makes its routes. */
export function protocolsOf(models: () => readonly ModelSpec[]): readonly Protocol[] {
  const common = { keyOf: bearerKey, failureBody };
  return [
    {
      ...common,
      vendor: "openai",
      routes: [
        ...modelRoutes("/v1", models),
        ...chatRoutes("/v1", models),
        ...embeddingsRoutes(OPENAI_EMBEDDINGS, models),
      ],
    },
    {
      ...common,
      vendor: "openai-compatible",
      routes: [
        ...modelRoutes("/v1", models),
        ...chatRoutes("/v1", models),
        ...embeddingsRoutes(OPENAI_EMBEDDINGS, models),
      ],
    },
    {
      ...common,
      vendor: "dashscope",
      routes: [...chatRoutes("/compatible-mode/v1", models), ...embeddingsRoutes(DASHSCOPE_EMBEDDINGS, models)],
    },
    {
      ...common,
      vendor: "gemini",
      routes: [...chatRoutes("/v1beta/openai", models), ...embeddingsRoutes(GEMINI_EMBEDDINGS, models)],
    },
    voyageProtocol(models),
    { ...common, vendor: "ark", routes: chatRoutes("/api/v3", models) },
    { ...common, vendor: "xai", routes: [...modelRoutes("/v1", models), ...chatRoutes("/v1", models)] },
  ];
}
