import { Router } from "@koa/router";
import { loggedError } from "../core/logged-error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Diagnostics } from "../services/diagnostics.ts";
import type { Events } from "../services/events.ts";
import type { KeyRing } from "../services/keys/key-ring.ts";
import type { ListModels } from "../services/models/list-models.ts";
import type { EditImages } from "../services/edits/edit-images.ts";
import type { RunImages } from "../services/images/run-images.ts";
import type { MediaLibrary } from "../services/media/media-library.ts";
import type { Pause } from "../services/pause.ts";
import type { AppSettings } from "../services/settings.ts";
import type { Quota } from "../services/quota.ts";
import type { Telemetry } from "../services/telemetry/telemetry.ts";
import type { Dialect } from "../services/chat/dialect.ts";
import { chatDialect } from "../services/chat/dialects/chat.ts";
import { completionsDialect } from "../services/chat/dialects/completions.ts";
import { messagesDialect } from "../services/chat/dialects/messages.ts";
import { responsesDialect } from "../services/chat/dialects/responses.ts";
import { messagesCount, responsesCount } from "../services/chat/count-tokens.ts";
import type { CountTokens } from "../services/chat/count-tokens.ts";
import type { RunChat } from "../services/chat/run-chat.ts";
import type { RunEmbeddings } from "../services/embeddings/run-embeddings.ts";
import type { SynthesizeSpeech } from "../services/speech/synthesize-speech.ts";
import type { Transcribe } from "../services/transcription/transcribe.ts";
import type { Moderate } from "../services/moderations/moderate.ts";
import type { Asset } from "../store/assets.ts";
import type { OpenResponses } from "./open-responses.ts";
import type { Address } from "./address.ts";
import { MCP_PATHS, TO_THE_LETTER } from "./area.ts";
import { BodyRoom } from "./body-room.ts";
import type { ControlHandlers } from "../contract/control.ts";
import type { Sessions } from "./control/sessions.ts";
import { LeanApp } from "./lean-app.ts";
import { accessLog } from "./middleware/access-log.ts";
import { authenticate } from "./middleware/authenticate.ts";
import { errors } from "./middleware/errors.ts";
import { hostOrigin } from "./middleware/host-origin.ts";
import { jsonBody } from "./middleware/json-body.ts";
import { PICTURE_FORM, SOUND_FORM, formBody } from "./middleware/multipart-body.ts";
import { localOnly } from "./middleware/local-only.ts";
import { refuseLoops } from "./middleware/loop.ts";
import { enterBeta } from "./middleware/enter-beta.ts";
import { refuseMisspelled } from "./middleware/misspelled.ts";
import { requestId } from "./middleware/request-id.ts";
import { refuseWhenPaused } from "./middleware/paused.ts";
import { respondToPreflight } from "./middleware/preflight.ts";
import { refuseWhenStopping } from "./middleware/stopping.ts";
import { noteTraceParent } from "./middleware/trace-parent.ts";
import { unknownUrl } from "./middleware/unknown-url.ts";
import { WrongKeys } from "./middleware/wrong-keys.ts";
import { createBillingRoutes, createModelRoutes } from "./routes/key-info.ts";
import {
  createConversationRoute,
  createCountRoute,
  createEmbeddingsRoute,
  createEditsRoute,
  createImagesRoute,
  createModerationsRoute,
  createSpeechRoute,
  createTranscriptionRoute,
} from "./routes/calls.ts";
import { createGeminiRoutes } from "./routes/gemini.ts";
import { createOllamaRoutes } from "./routes/ollama.ts";
import { createControlRoutes } from "./routes/control.ts";
import { createConfigSchemaRoute, createHealth, openApiRoute } from "./routes/public.ts";
import { createDiagnosticsRoute } from "./routes/diagnostics.ts";
import { createMediaRoute } from "./routes/media.ts";
import { createMetricsRoute } from "./routes/metrics.ts";
import { createPagesRoute } from "./routes/pages.ts";
import { openAiVideoRoutes, createVideoRoutes } from "./routes/videos.ts";
import type { OpenAiVideoRouteDeps, VideoRouteDeps } from "./routes/videos.ts";
import { createChecks } from "./state.ts";
import type { Check, Context, RequestState } from "./state.ts";

export interface AppDeps extends VideoRouteDeps, OpenAiVideoRouteDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly address: () => Address;
  readonly instanceId: string;
  readonly stopping: () => boolean;
  readonly answering: OpenResponses;
  readonly pause: Pause;
  readonly settings: Pick<AppSettings, "get">;
  readonly keyRing: KeyRing;
  readonly runChat: RunChat;
  readonly countTokens: CountTokens;
  readonly runEmbeddings: RunEmbeddings;
  readonly synthesizeSpeech: SynthesizeSpeech;
  readonly transcribe: Transcribe;
  readonly moderate: Moderate;
  readonly runImages: RunImages;
  readonly editImages: EditImages;
  readonly listModels: ListModels;
  readonly quota: Quota;
  readonly media: MediaLibrary;
  readonly telemetry: Telemetry;
  readonly sessions: Sessions;
  readonly diagnostics: Diagnostics;
  readonly control: ControlHandlers;
  readonly events: Events;
  /** Serves `/mcp`, after authentication and with the body of a POST parsed. */
  readonly mcp: (context: Context) => Promise<void>;
  /** The built pages; null without a build. */
  readonly pages: () => Promise<ReadonlyMap<string, Asset> | null>;
}

/** The gateway as HTTP: middleware in the order of the request lifecycle (docs/ARCHITECTURE.md), then the routes. */
export function createApp(deps: AppDeps): LeanApp {
  const app = new LeanApp();
  // Koa would print these itself. Client disconnects are ignored; anything else bypassed our error middleware.
  app.on("error", (error: Error) => {
    if (!("syscall" in error)) deps.log.error("bug", { ...loggedError(error) });
  });
  app.use(requestId(deps.clock));
  app.use(accessLog(deps.log, deps.clock));
  app.use(errors(deps.log));
  app.use(
    createChecks(
      hostOrigin(deps.address, deps.settings),
      localOnly,
      refuseMisspelled,
      enterBeta,
      refuseLoops(deps.instanceId),
      refuseWhenStopping(deps.stopping, deps.answering),
      refuseWhenPaused(deps.pause),
    ),
  );
  app.use(respondToPreflight);

  const models = createModelRoutes(deps.listModels);
  const billing = createBillingRoutes(deps.quota);
  const videos = createVideoRoutes(deps);
  const openAiVideos = openAiVideoRoutes(deps);
  const v1 = new Router<RequestState>(TO_THE_LETTER);
  const keyOfCall = authenticate(deps.keyRing, new WrongKeys(deps.clock), deps.address);
  const traced = noteTraceParent(deps.telemetry);
  const checkKey: Check = (context) => {
    keyOfCall(context);
    traced(context);
  };
  const authenticated = createChecks(checkKey);
  v1.use(authenticated);
  const room = new BodyRoom();
  const json = jsonBody(room);
  const form = formBody(room, PICTURE_FORM);
  /** Builds a route of the busiest paths; the router has it too, for other methods. */
  const conversation = (path: string, dialect: Dialect) => {
    const converse = createConversationRoute(deps.runChat, dialect);
    app.busy(path, (context) => {
      checkKey(context);
      return json(context, () => converse(context));
    });
    return converse;
  };
  v1.post("/v1/chat/completions", json, conversation("/v1/chat/completions", chatDialect));
  v1.post("/v1/messages", json, conversation("/v1/messages", messagesDialect));
  v1.post("/v1/responses", json, conversation("/v1/responses", responsesDialect));
  v1.post("/v1/completions", json, createConversationRoute(deps.runChat, completionsDialect));
  v1.post("/v1/messages/count_tokens", json, createCountRoute(deps.countTokens, messagesCount));
  v1.post("/v1/responses/input_tokens", json, createCountRoute(deps.countTokens, responsesCount));
  v1.post("/v1/embeddings", json, createEmbeddingsRoute(deps.runEmbeddings));
  v1.post("/v1/audio/speech", json, createSpeechRoute(deps.synthesizeSpeech));
  const sound = formBody(room, SOUND_FORM);
  v1.post("/v1/audio/transcriptions", sound, createTranscriptionRoute(deps.transcribe, "transcribe"));
  v1.post("/v1/audio/translations", sound, createTranscriptionRoute(deps.transcribe, "translate"));
  v1.post("/v1/moderations", json, createModerationsRoute(deps.moderate));
  v1.post("/v1/images/generations", json, createImagesRoute(deps.runImages));
  v1.post("/v1/images/edits", form, createEditsRoute(deps.editImages));
  v1.post("/v1/videos/generations", json, videos.create);
  v1.get("/v1/videos/generations", videos.list);
  v1.get("/v1/videos/generations/:id", videos.retrieve);
  v1.delete("/v1/videos/generations/:id", videos.cancel);
  v1.post("/v1/videos", form, openAiVideos.create);
  v1.get("/v1/videos", openAiVideos.list);
  v1.get("/v1/videos/:id", openAiVideos.retrieve);
  v1.get("/v1/videos/:id/content", openAiVideos.content);
  v1.delete("/v1/videos/:id", openAiVideos.delete);
  v1.get("/v1/models", models.list);
  v1.get(/^\/v1\/models\/(?<id>.+)$/, models.retrieve);
  v1.get("/v1/dashboard/billing/subscription", billing.subscription);
  v1.get("/v1/dashboard/billing/usage", billing.usage);
  const gemini = createGeminiRoutes(deps);
  v1.post(/^\/v1beta\/models\/(?<id>.+):generateContent$/, json, gemini.generate);
  v1.post(/^\/v1beta\/models\/(?<id>.+):streamGenerateContent$/, json, gemini.stream);
  v1.post(/^\/v1beta\/models\/(?<id>.+):countTokens$/, json, gemini.count);
  v1.post(/^\/v1beta\/models\/(?<id>.+):embedContent$/, json, gemini.embed);
  v1.post(/^\/v1beta\/models\/(?<id>.+):batchEmbedContents$/, json, gemini.embedBatch);
  v1.get("/v1beta/models", models.list);
  v1.get(/^\/v1beta\/models\/(?<id>.+)$/, models.retrieve);
  const ollama = createOllamaRoutes(deps);
  v1.post("/api/chat", json, ollama.chat);
  v1.post("/api/generate", json, ollama.generate);
  v1.post("/api/embed", json, ollama.embed);
  v1.post("/api/embeddings", json, ollama.embeddings);
  v1.get("/api/tags", ollama.tags);
  v1.post("/api/show", json, ollama.show);
  v1.get("/api/ps", ollama.running);
  v1.get("/api/version", ollama.version);
  v1.all("/api", ollama.greet);
  v1.all(/^\/api\/(pull|push|create|copy|delete|blobs)(\/|$)/, ollama.refuseStorage);
  v1.all(/^\/(v1(beta)?|api)(\/|$)/, unknownUrl(v1));

  const mcp = new Router<RequestState>(TO_THE_LETTER);
  mcp.use(authenticated);
  mcp.post(MCP_PATHS, json, deps.mcp);
  mcp.get(MCP_PATHS, deps.mcp);
  mcp.delete(MCP_PATHS, deps.mcp);
  mcp.all(MCP_PATHS, unknownUrl(mcp));

  app.use(app.shortcut());
  app.use(v1.routes());
  app.use(mcp.routes());
  app.use(createHealth);
  app.use(createMetricsRoute(deps.telemetry, new WrongKeys(deps.clock)));
  app.use(openApiRoute());
  app.use(createConfigSchemaRoute());
  app.use(createMediaRoute(deps.media, deps.sessions));
  app.use(createDiagnosticsRoute(deps.diagnostics));
  app.use(createControlRoutes(deps.control, deps.sessions, deps.events));
  app.use(createPagesRoute(deps.pages));
  return app;
}
