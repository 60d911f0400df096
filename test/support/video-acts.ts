import type { VideoTask } from "../../gateway/contract/videos.ts";
import { FastTime } from "./fast-time.ts";
import { KEY, startGateway, until, type TestGateway, type TestOptions } from "./running-gateway.ts";
import { VideoProvider } from "./video-provider.ts";

/** A request for a video that its provider takes, by the prompt's name. */
export const T2V = {
  model: "alpha2.6-t2v",
  duration: 5,
  resolution: "720p",
  input: { prompt: "A lighthouse at dusk." },
  parameters: { size: "1280*720", duration: 5 },
} as const;

/** An end stays: looking at it all the time would take the processor from who works towards it. */
const OVER_STEP_MS = 20;

/** A gateway whose time runs a hundred times faster, with a provider of every video protocol behind it. */
export class VideoStage {
  readonly provider: VideoProvider;
  readonly time: FastTime;
  gateway: TestGateway;
  readonly #options: TestOptions;

  private constructor(provider: VideoProvider, time: FastTime, gateway: TestGateway, options: TestOptions) {
    this.provider = provider;
    this.time = time;
    this.gateway = gateway;
    this.#options = options;
  }

  static async open(options: TestOptions = {}, speed = 100): Promise<VideoStage> {
    const provider = await new VideoProvider().listen();
    const time = new FastTime(speed);
    provider.now = () => time.now();
    const all = { ...options, clock: time, later: time.later, env: { ...provider.env(), ...options.env } };
    return new VideoStage(provider, time, await startGateway(all), all);
  }

  /** Submits, and fails unless the response has this status. */
  async submit(body: object = T2V, { status = 202, key = KEY, headers = {}, query = "" } = {}): Promise<VideoTask> {
    const response = await this.gateway.post(`/videos/generations${query}`, body, key, headers);
    const text = await response.text();
    if (response.status !== status) throw new Error(`${response.status}: ${text}`);
    return JSON.parse(text) as VideoTask;
  }

  async read(id: string, key = KEY): Promise<VideoTask> {
    const response = await this.get(`/videos/generations/${id}`, key);
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()) as VideoTask;
  }

  get(path: string, key = KEY): Promise<Response> {
    return fetch(`${this.gateway.url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  }

  delete(path: string, key = KEY): Promise<Response> {
    return fetch(`${this.gateway.url}/v1${path}`, { method: "DELETE", headers: { authorization: `Bearer ${key}` } });
  }

  /** Resolves with the task when it is over. */
  async over(id: string, key = KEY): Promise<VideoTask> {
    const isOver = ({ status }: VideoTask): boolean => ["succeeded", "failed", "cancelled"].includes(status);
    let task = await this.read(id, key);
    await until(async () => isOver(task) || isOver((task = await this.read(id, key))), undefined, OVER_STEP_MS);
    return task;
  }

  async when(id: string, met: (task: VideoTask) => boolean, key = KEY): Promise<VideoTask> {
    let task = await this.read(id, key);
    await until(async () => met((task = await this.read(id, key))));
    return task;
  }

  /** Stops the gateway in an orderly way and starts another on its folder. */
  async restart(): Promise<void> {
    await this.gateway.stop();
    this.gateway = await startGateway({ ...this.#options, dataDir: this.gateway.dataDir });
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.provider.close();
  }
}
