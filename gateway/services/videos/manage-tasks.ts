import type { ListTasks, TaskDetail, TaskPage } from "../../contract/tasks.ts";
import { GatewayError } from "../../core/errors.ts";
import { identityFrom } from "../../core/sessions/identity.ts";
import type { TaskRecord } from "../../core/tasks/task.ts";
import { withWebhookUrl } from "../../core/tasks/task-request.ts";
import { showUrl } from "../../core/webhooks/webhook-url.ts";
import type { Clock } from "../../lib/clock.ts";
import { ratioOfSides } from "../../core/videos/video-size.ts";
import { newRequestId } from "../../lib/ids.ts";
import { readOperation } from "../../providers/video-figures.ts";
import type { Connections } from "../connections/connections.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { MediaLibrary } from "../media/media-library.ts";
import type { CreateVideo } from "./submission/create-video.ts";
import { deliveryView } from "../webhooks/webhooks-view.ts";
import type { WebhookUrls } from "../webhooks/webhook-urls.ts";
import { getAccount } from "./task-provider.ts";
import type { TaskRepository } from "../../store/tasks/task-repository.ts";
import type { TaskMoney } from "./task-money.ts";
import { taskRow } from "../../core/tasks/task-row.ts";
import type { VideoEngine } from "./engine/video-engine.ts";

export interface ManageTasksDeps {
  readonly repository: TaskRepository;
  readonly engine: VideoEngine;
  readonly money: TaskMoney;
  readonly createVideo: CreateVideo;
  readonly connections: Connections;
  readonly keyRing: KeyRing;
  readonly media: Pick<MediaLibrary, "view">;
  readonly clock: Clock;
  readonly webhookUrls: Pick<WebhookUrls, "decrypt">;
  /** Resends a task's newest webhook. @throws GatewayError */
  readonly resend: (id: string) => Promise<unknown>;
}

/** Tasks of all keys, for the owner's pages and command line. */
export class ManageTasks {
  readonly #deps: ManageTasksDeps;

  constructor(deps: ManageTasksDeps) {
    this.#deps = deps;
  }

  async list(query: ListTasks): Promise<TaskPage> {
    const { tasks, ...counts } = await this.#deps.repository.search(query);
    return { data: tasks.map(taskRow), ...counts };
  }

  /** @throws GatewayError not_found */
  async get(id: string): Promise<TaskDetail> {
    const task = await this.#find(id);
    this.#deps.engine.watch(task);
    return this.#detail(task);
  }

  async cancel(id: string): Promise<TaskDetail> {
    return this.#detail(await this.#deps.engine.cancel(await this.#find(id)));
  }

  async refresh(id: string): Promise<TaskDetail> {
    return this.#detail(await this.#deps.engine.refresh(await this.#find(id)));
  }

  /** Resubmits the same request. @throws GatewayError if it was not stored completely, or its key is gone */
  async repeat(id: string): Promise<TaskDetail> {
    const { keyRing, createVideo, clock, webhookUrls } = this.#deps;
    const task = await this.#find(id);
    const key = keyRing.get(task.key);
    if (!task.order.repeatable) {
      throw new GatewayError(
        "conflict",
        "This task was sent with media inside it, which Postern does not keep. Send it again from where it came from.",
      );
    }
    if (key === undefined) {
      throw new GatewayError("conflict", "The key of this task was revoked. Send it again with another key.");
    }
    const objection = keyRing.objection(key);
    // A 401 would mean that the page's own bearer is refused.
    if (objection !== null) throw new GatewayError("conflict", objection.message);
    const url = task.webhook_url === null ? null : await webhookUrls.decrypt(task.webhook_url);
    const made = await createVideo.run({
      requestId: newRequestId(),
      arrivedAt: clock.monotonic(),
      key,
      app: "Postern",
      identity: identityFrom(task),
      note: () => undefined,
      noteProvider: () => undefined,
      body: withWebhookUrl(task.order.request, url),
      name: undefined,
    });
    return this.#detail(made);
  }

  /** @param providerTaskId null: the provider never took it. @throws GatewayError conflict when it is not `unknown` */
  async resolve(id: string, providerTaskId: string | null): Promise<TaskDetail> {
    if (providerTaskId !== null && readOperation(providerTaskId) === null) {
      throw new GatewayError(
        "invalid_value",
        "This is no id that a provider gives a task. Copy it from the provider's console.",
        {
          param: "provider_task_id",
        },
      );
    }
    return this.#detail(await this.#deps.engine.decide(await this.#find(id), providerTaskId));
  }

  async resend(id: string): Promise<TaskDetail> {
    const task = await this.#find(id);
    await this.#deps.resend(task.id);
    return this.#detail(await this.#find(task.id));
  }

  async #find(id: string): Promise<TaskRecord> {
    const task = await this.#deps.repository.find(id, null);
    if (task === null) throw new GatewayError("not_found", `There is no video task ${id.slice(0, 100)}.`);
    return task;
  }

  async #detail(task: TaskRecord): Promise<TaskDetail> {
    const { result } = task;
    const ids = [result?.video_media ?? null, result?.last_frame_media ?? null].filter((id) => id !== null);
    const results = await Promise.all(ids.map((id) => this.#deps.media.view(id)));
    const row = taskRow(task);
    const webhookUrl = task.webhook_url === null ? null : showUrl(task.webhook_url);
    // The film comes first, and its provider may have decided otherwise than was asked.
    const [film] = results;
    const measured = film?.id === result?.video_media ? film : null;
    return {
      ...row,
      ratio: measured?.width && measured.height ? ratioOfSides([measured.width, measured.height]) : row.ratio,
      request_id: task.request_id,
      connection: this.#deps.connections.get(task.connection)?.name ?? task.connection,
      provider_task_id: task.operation?.id ?? null,
      updated_at: task.updated_at,
      deadline_at: task.deadline_at,
      held_nano: this.#deps.money.getHold(task.id),
      full_prompt: task.order.prompt,
      webhook_url: webhookUrl,
      request: withWebhookUrl(task.order.request, webhookUrl),
      timeline: task.timeline.map(({ at, phase, note }) => ({ at, status: phase, note })),
      native: task.native,
      receipt: task.bill?.receipt ?? null,
      deliveries: task.deliveries.map(deliveryView),
      results: results.filter((view) => view !== null),
      can: {
        cancel: this.#canCancel(task),
        repeat: task.order.repeatable && this.#deps.keyRing.get(task.key) !== undefined,
        resolve: task.phase === "unknown",
        resend: task.deliveries.length > 0,
      },
    };
  }

  #canCancel(task: TaskRecord): boolean {
    if (task.phase !== "submitted") return false;
    const account = getAccount(task, this.#deps.connections);
    return typeof account !== "string" && account.connection.provider.videos?.toCancelRequest != null;
  }
}
