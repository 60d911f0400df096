import { LoopbackServer } from "../loopback-server.ts";
import { png } from "../media-samples.ts";
import { mp4 } from "./mp4.ts";
import { Complaint, Refusal, isObject } from "./protocol.ts";
import type {
  HttpResponse,
  SentRequest,
  Operation,
  Ordered,
  Protocol,
  ScriptedState,
  VideoProtocol,
  ProviderTask,
} from "./protocol.ts";
import { VIDEO_PROTOCOLS } from "./protocols.ts";
import { modelList } from "./wire.ts";

/** A request that arrived, whatever became of it. */
export interface ProviderSeen {
  readonly operation: Operation;
  readonly protocol: Protocol;
  /** Of the task; of a submission, the one that it made, and empty until then. */
  id: string;
  readonly key: string;
  readonly path: string;
  /** Monotonic ms. */
  readonly at: number;
}

/** A request, and what was made out of it. */
export interface ReceivedRequest {
  readonly asked: SentRequest;
  readonly seen: ProviderSeen;
}

/** What a provider of videos knows and does, whatever the wire does with it. */
export abstract class VideoProviderBase extends LoopbackServer {
  /** What broke a protocol, in words; what a provider may lawfully refuse is not one of it. */
  readonly complaints: string[] = [];
  /** Every task that was accepted, in order. */
  readonly tasks: ProviderTask[] = [];
  /** What new tasks go through. */
  plan: readonly ScriptedState[] = ["queued", "running", "succeeded"];
  /** Wall clock for the times that the provider tells. */
  now: () => number = Date.now;
  /** What a new task's file is, by the task's id: each one its own. */
  film: (id: string) => Buffer = mp4;
  /** What each protocol's model list holds. */
  readonly models: Record<Protocol, readonly string[]> = {
    dashscope: ["wan2.7-t2v", "wan2.6-t2v", "wan2.6-i2v", "happyhorse-1.0-t2v"],
    ark: ["doubao-seedance-2-0-260128", "doubao-seedance-1-5-pro-251215"],
    xai: ["grok-imagine-video"],
    openai: ["sora-2", "sora-2-pro"],
    compatible: ["some-video-model"],
  };
  /** No page of a list holds more. */
  pageSize = Infinity;
  /** Provider keys that are answered 401. */
  readonly refusedKeys = new Set<string>();
  /** Ids are not used again after a reset. */
  #made = 0;
  readonly #plans: (readonly ScriptedState[])[] = [];

  /** What the next submission's task goes through instead of `plan`. */
  next(...plan: readonly ScriptedState[]): this {
    this.#plans.push(plan);
    return this;
  }

  /** Sets what a task is from now on. */
  advance(id: string, state: ScriptedState): void {
    const task = this.task(id);
    task.state = state;
    task.plan = [];
    task.updatedAt = this.now();
  }

  /** @throws when there is no such task. */
  task(id: string): ProviderTask {
    const task = this.tasks.find((task) => task.id === id);
    if (task === undefined) throw new Error(`the provider has no task ${id}`);
    return task;
  }

  /** The newest task. */
  get last(): ProviderTask {
    const task = this.tasks.at(-1);
    if (task === undefined) throw new Error("nothing was submitted");
    return task;
  }

  /** Tasks that were accepted for a prompt: more than one means that an order was sent again. */
  accepted(prompt: string): readonly ProviderTask[] {
    return this.tasks.filter((task) => task.ordered.prompt === prompt);
  }

  /** How often a task was asked for. */
  polls(id: string): number {
    return this.tasks.find((task) => task.id === id)?.polls ?? 0;
  }

  /** Forgets tasks, plans and complaints. */
  protected forget(): void {
    for (const list of [this.complaints, this.tasks, this.#plans]) list.length = 0;
    this.plan = ["queued", "running", "succeeded"];
    this.pageSize = Infinity;
    this.refusedKeys.clear();
  }

  /** Does what is asked, and notes what breaks the protocol. */
  protected async response({ asked, seen }: ReceivedRequest): Promise<HttpResponse> {
    const videoProtocol = VIDEO_PROTOCOLS[seen.protocol];
    try {
      if (seen.operation === "file") return this.#file(asked, seen.id);
      if (!/^Bearer \S+$/.test(asked.headers.authorization ?? "")) throw new Complaint(401, "InvalidApiKey", "no key");
      if (this.refusedKeys.has(seen.key))
        return videoProtocol.refused(401, "InvalidApiKey", "Invalid API-key provided.");
      return await this.#perform(videoProtocol, asked, seen);
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof Complaint)
        this.complaints.push(`${asked.method} ${seen.path}: ${error instanceof Error ? error.message : String(error)}`);
      if (!(error instanceof Refusal)) return { status: 599, body: String(error), type: "text/plain" };
      return videoProtocol.refused(error.status, error.code, error.message);
    }
  }

  async #perform(videoProtocol: VideoProtocol, request: SentRequest, seen: ProviderSeen): Promise<HttpResponse> {
    const task = this.tasks.find(
      ({ id, protocol, key }) => id === seen.id && protocol === seen.protocol && key === seen.key,
    );
    switch (seen.operation) {
      case "submit": {
        const made = this.#accept(videoProtocol, await videoProtocol.order(request), seen);
        return videoProtocol.accepted(made);
      }
      case "poll":
        if (task === undefined) return videoProtocol.absent(seen.id);
        this.#move(task);
        return this.#reported(videoProtocol, task);
      case "cancel":
        return task === undefined ? videoProtocol.absent(seen.id) : videoProtocol.cancel(task);
      case "list":
        return this.#list(videoProtocol, request, seen);
      case "content":
        return task?.state === "succeeded"
          ? { status: 200, body: task.video, type: "video/mp4" }
          : videoProtocol.refused(404, "not_found", "There is no content.");
      case "models":
        return { status: 200, body: modelList(this.models[seen.protocol]) };
      default:
        throw new Complaint(404, "not_found", "no such route");
    }
  }

  #accept(videoProtocol: VideoProtocol, ordered: Ordered, seen: ProviderSeen): ProviderTask {
    const at = this.now();
    const id = videoProtocol.newId((this.#made += 1), at);
    seen.id = id;
    const task: ProviderTask = {
      id,
      protocol: seen.protocol,
      key: seen.key,
      path: seen.path,
      ordered,
      createdAt: at,
      updatedAt: at,
      state: "queued",
      plan: [...(this.#plans.shift() ?? this.plan)],
      progress: 42,
      error: { code: "InternalError", message: "The provider could not make this video." },
      seconds: ordered.seconds,
      resolution: ordered.resolution,
      video: this.film(id),
      lastFrame: ordered.lastFrame ? png(64, 36, this.#made) : null,
      filtered: false,
      override: null,
      polls: 0,
    };
    this.tasks.push(task);
    return task;
  }

  /** A task that is asked for together with others is moved as if it were asked for alone. */
  #list(videoProtocol: VideoProtocol, { query }: SentRequest, { protocol, key }: ProviderSeen): HttpResponse {
    const own = this.tasks.filter((task) => task.protocol === protocol && task.key === key);
    const ids = query.getAll("filter.task_ids");
    // OpenAI's list is asked for without ids.
    for (const task of own) if (ids.includes(task.id) || protocol === "openai") this.#move(task);
    const response = videoProtocol.list(own.toReversed(), query, this.pageSize, this.#addressOf);
    return protocol === "ark" || protocol === "openai"
      ? { ...response, body: this.#overridden(response.body) }
      : response;
  }

  /** Rows of lists that tell of tasks what a question about each tells. */
  #overridden(list: unknown): unknown {
    const rows = (name: string): object => {
      const found = isObject(list) && Array.isArray(list[name]) ? (list[name] as readonly unknown[]) : null;
      if (found === null) return {};
      return { [name]: found.map((row) => (isObject(row) ? { ...row, ...this.#overrideOf(row["id"]) } : row)) };
    };
    return isObject(list) ? { ...list, ...rows("items"), ...rows("data") } : list;
  }

  #overrideOf(id: unknown): object {
    return this.tasks.find((task) => task.id === id)?.override ?? {};
  }

  #move(task: ProviderTask): void {
    task.polls += 1;
    const next = task.plan.shift();
    if (next === undefined) return;
    task.state = next;
    task.updatedAt = this.now();
  }

  #reported(videoProtocol: VideoProtocol, task: ProviderTask): HttpResponse {
    const reported = videoProtocol.reported(task, this.#addressOf);
    if (task.override === null) return reported;
    return { ...reported, body: { ...(reported.body as object | undefined), ...task.override } };
  }

  readonly #addressOf = ({ id }: ProviderTask, name: string): string =>
    `${this.origin}/files/${id}/${name}?Expires=1&Signature=s%2B1`;

  /** A result at its signed address, which no key may come near. */
  #file(request: SentRequest, id: string): HttpResponse {
    const task = this.tasks.find((task) => task.id === id);
    if (request.headers.authorization !== undefined)
      throw new Complaint(400, "InvalidArgument", "a key at the storage host");
    if (request.query.get("Signature") !== "s+1")
      throw new Complaint(403, "SignatureDoesNotMatch", "the query is not whole");
    if (task !== undefined && request.path.endsWith("/video.mp4"))
      return { status: 200, body: task.video, type: "video/mp4" };
    const frame = request.path.endsWith("/last.png") ? task?.lastFrame : null;
    return frame == null ? { status: 404 } : { status: 200, body: frame, type: "image/png" };
  }
}
