import { expect } from "vitest";
import { within, type HttpResponse, type Json, type RunningFilms } from "./running-films.ts";

export const SYNTHESIS = "/dashscope/api/v1/services/aigc/video-generation/video-synthesis";
export const TASKS = "/dashscope/api/v1/tasks";
export const ASYNC = { "x-dashscope-async": "enable" };
export const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** DashScope's video tasks, asked as the gateway asks for them. */
export class WanClient {
  readonly #films: RunningFilms;

  constructor(films: RunningFilms) {
    this.#films = films;
  }

  submit(model: string, input: object, parameters?: object): Promise<HttpResponse> {
    return this.#films.post(SYNTHESIS, { model, input, ...(parameters && { parameters }) }, ASYNC);
  }

  t2v(prompt: string, parameters?: object): Promise<HttpResponse> {
    return this.submit("wan2.7-t2v", { prompt }, parameters);
  }

  /** The id in the response to a submission. */
  async idOf(response: Promise<HttpResponse>): Promise<string> {
    const { status, json } = await response;
    expect(status, JSON.stringify(json)).toBe(200);
    return String(within(json, "output", "task_id"));
  }

  async task(id: string): Promise<Json> {
    const { status, json } = await this.#films.get(`${TASKS}/${id}`);
    expect(status).toBe(200);
    return json;
  }

  async statusOf(id: string): Promise<unknown> {
    return within(await this.task(id), "output", "task_status");
  }

  /** The finished task. */
  async finished(response: Promise<HttpResponse>): Promise<Json> {
    const id = await this.idOf(response);
    this.#films.now += 3_000;
    return this.task(id);
  }
}
