import type { TaskRecord } from "../../core/tasks/task.ts";
import { Background } from "../../lib/background.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import type { Log } from "../../lib/log.ts";
import { getMessage } from "../../lib/message-of.ts";
import type { Reach } from "../../upstream/reach.ts";
import { WebhookSender } from "../../upstream/webhook-sender.ts";
import type { PipelineDeps } from "../calls/call-steps.ts";
import type { Connections } from "../connections/connections.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { MediaLibrary } from "../media/media-library.ts";
import type { Notices } from "../notices.ts";
import { CreateVideo } from "./submission/create-video.ts";
import { DeliverWebhooks } from "../webhooks/deliver-webhooks.ts";
import { WebhookSecrets } from "../webhooks/webhook-secrets.ts";
import { FolderKey } from "../folder-key.ts";
import { checkWebhookUrl } from "../webhooks/receivers.ts";
import { encryptStoredUrls } from "../webhooks/encrypt-stored-urls.ts";
import { WebhookUrls } from "../webhooks/webhook-urls.ts";
import { ManageTasks } from "./manage-tasks.ts";
import { OpenAiVideos } from "./openai-videos.ts";
import { ReadVideos } from "./read-videos.ts";
import { TaskRepository } from "../../store/tasks/task-repository.ts";
import { TaskMoney } from "./task-money.ts";
import { TaskViews } from "./task-views.ts";
import { VideoEngine } from "./engine/video-engine.ts";

export interface VideoParts {
  readonly dataDir: string;
  readonly paid: PipelineDeps;
  readonly clock: Clock;
  readonly log: Log;
  readonly connections: Connections;
  readonly keyRing: KeyRing;
  readonly media: MediaLibrary;
  readonly notices: Notices;
  /** Returns the targets that webhooks may reach besides the public internet. */
  readonly reach: () => Reach;
  /** POSTERN_WEBHOOK_SECRET, checked; null: our own. */
  readonly webhookSecret: string | null;
  /** Postern's own address, for links. */
  readonly origin: () => string;
  readonly later: Later;
}

/** Makes what video tasks need: the repository of tasks, their money, the engine, webhooks, and the stories around them. */
export function makeVideoServices(parts: VideoParts) {
  const { paid, clock, log, connections, keyRing, media, notices, reach, origin, later } = parts;
  const { store, events, providerClient, admission, instanceId, random } = paid;
  const repository = new TaskRepository({ dataDir: parts.dataDir, store, events, clock, log, notices, later });
  const views = new TaskViews({ media, origin });
  const money = new TaskMoney({ store, repository, admission, keyRing, events, log });
  const background = new Background(paid.stopping, (what, error) => log.warn(what, { message: getMessage(error) }));
  const engine = new VideoEngine({
    background,
    repository,
    money,
    media,
    connections,
    notices,
    providerClient,
    timeLimits: paid.timeLimits,
    instanceId,
    clock,
    log,
    later,
    random,
  });
  const webhookSecret = new WebhookSecrets({ store, clock, notices, fromEnvironment: parts.webhookSecret });
  const webhookUrls = new WebhookUrls(new FolderKey(store, "webhook_url_secret"));
  const webhooks = new DeliverWebhooks({
    repository,
    store,
    views,
    clock,
    later,
    random,
    log,
    notices,
    events,
    secrets: webhookSecret,
    urls: webhookUrls,
    stopping: paid.stopping,
    sender: new WebhookSender(reach),
  });
  const creating = {
    ...paid,
    views,
    background,
    repository,
    money,
    media,
    later,
    checkWebhook: (url: string) => checkWebhookUrl(url, reach()),
    webhookUrls,
    follow: (task: TaskRecord) => engine.follow(task),
  };
  const createVideo = new CreateVideo(creating);
  const readVideos = new ReadVideos({ repository, engine, views, clock, resolveModel: paid.resolveModel });
  const resend = (id: string): Promise<unknown> => webhooks.resend(id);
  return {
    taskRepository: repository,
    taskViews: views,
    videoEngine: engine,
    webhooks,
    encryptWebhookUrls: () =>
      background.run("webhooks.urls", () => encryptStoredUrls({ repository, store, urls: webhookUrls })),
    webhookSecret,
    createVideo,
    readVideos,
    openAiVideos: new OpenAiVideos({ createVideo, readVideos, media, resolveModel: paid.resolveModel }),
    manageTasks: new ManageTasks({
      repository,
      engine,
      money,
      createVideo,
      connections,
      keyRing,
      media,
      clock,
      webhookUrls,
      resend,
    }),
  };
}
