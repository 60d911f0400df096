import { videoRequestSchema } from "../../../contract/videos.ts";
import type { VideoRequest } from "../../../contract/videos.ts";
import { GatewayError } from "../../../core/errors.ts";
import { acceptTask, lost } from "../../../core/tasks/task-changes.ts";
import type { TaskRecord } from "../../../core/tasks/task.ts";
import { validate } from "../../../core/validation.ts";
import { videoHold } from "../../../core/videos/video-cost.ts";
import { videoOrder } from "../../../providers/video-families.ts";
import type { OrderedModel, VideoOrder } from "../../../core/videos/video-order.ts";
import { pause } from "../../../lib/abortable.ts";
import type { Background } from "../../../lib/background.ts";
import { sha256 } from "../../../lib/ids.ts";
import { isRecord } from "../../../lib/records.ts";
import type { Later } from "../../../lib/later.ts";
import { within } from "../../../lib/within.ts";
import { StoreWriteError } from "../../../store/store.ts";
import { NOTHING_USED, PaidCall, findMaxCost } from "../../calls/paid-call.ts";
import type { CallCost, CallInput, PaidCallDeps, Pricing, Quote } from "../../calls/paid-call.ts";
import { observeProvider } from "../../calls/observed-provider.ts";
import type { CallObserver, CallObservers } from "../../calls/call-observer.ts";
import type { MediaLibrary } from "../../media/media-library.ts";
import type { ServedModel } from "../../models/served-model.ts";
import { getOrderedModel } from "../task-provider.ts";
import { describeLoss, newTask, readAcceptance, submitVideo } from "./submit-video.ts";
import { IdempotentRequests, checkName } from "./idempotency.ts";
import type { NamedRequest } from "./idempotency.ts";
import type { Submission } from "./submit-video.ts";
import type { TaskRepository, TaskChange } from "../../../store/tasks/task-repository.ts";
import type { TaskMoney } from "../task-money.ts";
import type { TaskViews } from "../task-views.ts";
import type { WebhookUrls } from "../../webhooks/webhook-urls.ts";
import { ownCommand } from "../../../store/folder/own-command.ts";

export interface CreateVideoDeps extends PaidCallDeps {
  readonly observers: CallObservers;
  readonly views: Pick<TaskViews, "task">;
  readonly repository: TaskRepository;
  readonly money: TaskMoney;
  readonly media: Pick<MediaLibrary, "requireRoom">;
  readonly later: Later;
  readonly background: Background;
  /** @throws GatewayError when webhooks may not go to this address */
  readonly checkWebhook: (url: string) => void;
  readonly webhookUrls: Pick<WebhookUrls, "encrypt">;
  /** Hands a task to the engine. */
  readonly follow: (task: TaskRecord) => void;
}

export interface VideoInput extends CallInput {
  readonly body: unknown;
  /** The header `Idempotency-Key`. */
  readonly name: string | undefined;
}

/** Milliseconds between retries of a write that records what a provider accepted. */
const INSIST_MS = 1_000;
/** Max milliseconds that a client waits for a refusing disk. */
const PATIENT_MS = 30_000;

/** The story of `POST /v1/videos/generations`: rules, limits, hold, record, provider, record; then the engine has it. */
export class CreateVideo {
  readonly #deps: CreateVideoDeps;
  readonly #idempotent: IdempotentRequests;

  constructor(deps: CreateVideoDeps) {
    this.#deps = deps;
    this.#idempotent = new IdempotentRequests(deps.repository);
  }

  /**
   * @returns the task, which the provider has taken, or may have (`unknown`).
   * @throws GatewayError for everything that makes no task.
   */
  run(input: VideoInput): Promise<TaskRecord> {
    return this.#deps.observers.on ? this.#observeCall(input) : this.#order(input, this.#deps);
  }

  /** Estimates the cost. An estimate takes no idempotency name, and no other request waits for it. @throws GatewayError */
  async estimate(input: VideoInput): Promise<Quote> {
    const { request, named } = getName(input);
    if (named !== null) await this.#idempotent.check(named);
    const paid = new PaidCall(this.#deps, input, "videos", request.model, false, true);
    const { servedModel, pricing } = await this.#plan(paid, request, input.body);
    return paid.quote(servedModel, (remaining) => pricing.cost(remaining));
  }

  async #observeCall(input: VideoInput): Promise<TaskRecord> {
    // OpenAI's /v1/videos is translated to the body of our own endpoint before this.
    const request = { endpoint: "videos", body: getJson(input.body), family: "nested" } as const;
    const observer = this.#deps.observers.begin(input, request);
    try {
      const task = await this.#order(input, observeProvider(this.#deps, observer));
      void this.#tell(observer, task);
      return task;
    } catch (error) {
      observer.endCall(error);
      throw error;
    }
  }

  async #tell(observer: CallObserver, task: TaskRecord): Promise<void> {
    observer.openResponse(202, { "content-type": "application/json" });
    try {
      observer.wrote(getJson(await this.#deps.views.task(task)));
    } catch {
      // An unreadable view is no fault of the call: the recording is without its body.
    }
    observer.endCall(null);
  }

  async #order(input: VideoInput, deps: CreateVideoDeps): Promise<TaskRecord> {
    const { request, named } = getName(input);
    if (named === null) return this.#make(input, request, null, deps);
    return this.#idempotent.run(named, () => this.#make(input, request, { key: named.name, hash: named.hash }, deps));
  }

  /**
   * Returns the model whose family rules shape a body, for callers with one format for all models.
   * @returns null for models that make no videos: `run` reports why, and writes a receipt.
   */
  async getModel(name: string): Promise<OrderedModel | null> {
    const { resolveModel } = this.#deps;
    try {
      return getOrderedModel(resolveModel.findKnown(name, "video") ?? (await resolveModel.find(name, "video")));
    } catch (error) {
      if (error instanceof GatewayError) return null;
      throw error;
    }
  }

  async #make(
    input: VideoInput,
    request: VideoRequest,
    idempotency: TaskRecord["idempotency"],
    deps: CreateVideoDeps,
  ): Promise<TaskRecord> {
    const paid = new PaidCall(deps, input, "videos", request.model, false, true);
    try {
      const { servedModel, order, pricing } = await this.#plan(paid, request, input.body);
      paid.admit(servedModel, pricing);
      const { webhook_url: url } = request;
      const webhookUrl = url == null ? null : await this.#deps.webhookUrls.encrypt(url);
      const task = newTask(
        { paid, servedModel, order, body: input.body, webhookUrl, idempotency },
        this.#deps.clock.now(),
      );
      await this.#write(task);
      return await this.#submit(paid, servedModel, order, task);
    } catch (error) {
      await paid.fail(error);
      throw error;
    }
  }

  /** @throws GatewayError for what cannot be ordered */
  async #plan(paid: PaidCall, request: VideoRequest, body: unknown): Promise<PlannedVideo> {
    const servedModel = await paid.findModel(request.model, "video");
    const order = getOrder(request, body, servedModel);
    if (request.webhook_url != null) this.#deps.checkWebhook(request.webhook_url);
    await this.#deps.media.requireRoom();
    const cost = (): CallCost => findMaxCost(servedModel.candidates, (price) => videoHold(order, price));
    return { servedModel, order, pricing: { cost, likely: NOTHING_USED } };
  }

  async #submit(paid: PaidCall, servedModel: ServedModel, order: VideoOrder, task: TaskRecord): Promise<TaskRecord> {
    const { repository, clock, money, follow } = this.#deps;
    let submission: Submission;
    try {
      submission = await submitVideo(paid, servedModel, order);
    } catch (error) {
      // The provider has not taken it: nothing is left of it but the receipt of the failed call.
      await this.#discard(task.id);
      throw error;
    }
    const hold = paid.record.handOver();
    if (hold !== null) money.keep(task, hold);
    const written = await this.#insist(task.id, async () => {
      const { why, by } =
        submission.kind === "lost" ? describeLoss(submission) : { why: ANOTHER, by: readAcceptance(submission).by };
      if (submission.kind === "taken") {
        const { opened, operation } = submission;
        const claimed = await repository.claim(task.id, opened.candidate.connection.id, operation.id, (known) =>
          acceptTask(known, readAcceptance(submission), clock.now()),
        );
        if (claimed !== null) return claimed;
      }
      return repository.change(task.id, (known) => lost({ ...known, ...by }, why, clock.now()));
    });
    follow(written);
    return written;
  }

  /** Retries a write that must not be lost until it succeeds. @throws GatewayError if the client waits too long */
  async #insist(id: string, write: () => Promise<TaskChange | null>): Promise<TaskRecord> {
    const { later, background, follow } = this.#deps;
    const writing = (async () => {
      for (;;) {
        try {
          const written = await write();
          if (written === null) throw new Error(`the task ${id} is gone`);
          return written.task;
        } catch (error) {
          if (!(error instanceof StoreWriteError)) throw error;
          // The next start finds the unresolved submission, and searches for it.
          if (!(await pause(later, INSIST_MS, background.stopping))) throw notWritten(id);
        }
      }
    })();
    if (await within(writing, PATIENT_MS)) return writing;
    background.run("video.not_written", () => writing.then(follow));
    throw notWritten(id);
  }

  /** Removes a failed submission, retrying while the disk refuses. The next start would also detect it. */
  async #discard(id: string): Promise<void> {
    const { repository, background, later } = this.#deps;
    try {
      await repository.remove(id);
    } catch (error) {
      if (!(error instanceof StoreWriteError)) throw error;
      background.run("video.not_discarded", async () => {
        if (await pause(later, INSIST_MS, background.stopping)) await this.#discard(id);
      });
    }
  }

  async #write(task: TaskRecord): Promise<void> {
    try {
      await this.#deps.repository.create(task);
    } catch (error) {
      if (!(error instanceof StoreWriteError)) throw error;
      throw new GatewayError(
        "storage_unavailable",
        `Postern cannot write to its data folder, so it takes no tasks. Make room on the disk, or see \`${ownCommand("doctor")}\`.`,
        { retryAfter: 30, cause: error },
      );
    }
  }
}

interface PlannedVideo {
  readonly servedModel: ServedModel;
  readonly order: VideoOrder;
  readonly pricing: Pricing;
}

/** The checked request, and the name that makes it one order however often it comes. @throws GatewayError */
function getName(input: VideoInput): { readonly request: VideoRequest; readonly named: NamedRequest | null } {
  const model = isRecord(input.body) ? input.body["model"] : null;
  input.note(typeof model === "string" ? model.slice(0, 200) : "", null);
  const request = validate(videoRequestSchema, input.body);
  const name = checkName(input.name);
  if (name === null) return { request, named: null };
  return { request, named: { key: input.key.record.id, name, hash: sha256(JSON.stringify(input.body)) } };
}

const getJson = (body: unknown): Buffer => Buffer.from(JSON.stringify(body) ?? "");

function notWritten(id: string): GatewayError {
  return new GatewayError(
    "storage_unavailable",
    `The provider has taken the task ${id}, and the disk refuses to write that down. Make room on it; the task goes on by itself.`,
    { headers: { "x-should-retry": "false" } },
  );
}

function getOrder(request: VideoRequest, body: unknown, servedModel: ServedModel): VideoOrder {
  return videoOrder(request, isRecord(body) ? body : {}, getOrderedModel(servedModel));
}

const ANOTHER = "The provider responded with the id of another task. Whether it took this one is not known.";
