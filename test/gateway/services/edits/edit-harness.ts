import { expect } from "vitest";
import { deltaEdit, fieldsSeen, filesSeen, postForm, type FileSeen } from "../../../support/edit-acts.ts";
import { formOf } from "../../../support/forms.ts";
import { png } from "../../../support/pictures.ts";
import { errorOf, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { WireProvider, reply, type WireAct, type WireSeen } from "../../../support/wire-provider.ts";

export type Files = Parameters<typeof formOf>[1];
export type Fields = Readonly<Record<string, string>>;

/** A key that can pay for nothing. */
export const POOR_KEY = "sk-test-poor-key-000000001";
export const IMAGE: Files = [["image", png()]];

/** A gateway with OpenAI behind it, and one form after the other sent to `/v1/images/edits`. */
export class EditHarness {
  readonly wire = new WireProvider();
  #postern: TestGateway | null = null;

  async open(): Promise<void> {
    await this.wire.listen();
    this.#postern = await startGateway({
      keys: [{ key: POOR_KEY, name: "poor", limit_usd: 0.000_1 }],
      env: { POSTERN_OPENAI_BASE_URL: `${this.wire.origin}/v1`, POSTERN_OPENAI_API_KEY: "sk-openai-0001" },
    });
  }

  async close(): Promise<void> {
    await this.#postern?.close();
    await this.wire.close();
  }

  /** Forgets what was seen; gpt-image answers, unless `act` is given. */
  reset(act: WireAct = reply(200, deltaEdit())): void {
    this.wire.reset();
    this.wire.on("POST /v1/images/edits", act);
  }

  /** Edits that reached the provider; the library fetches results besides. */
  get asked(): readonly WireSeen[] {
    return this.wire.seen.filter(({ method }) => method === "POST");
  }

  edit(fields: Fields = {}, files: Files = IMAGE, key?: string): Promise<Response> {
    if (this.#postern === null) throw new Error("not open");
    const form = formOf({ model: "delta-image-2", prompt: "Add a hat", ...fields }, files);
    return postForm(this.#postern, form, key);
  }

  /** A form of exactly these fields. */
  bare(fields: Fields): Promise<Response> {
    if (this.#postern === null) throw new Error("not open");
    return postForm(this.#postern, formOf(fields, IMAGE));
  }

  /** All texts that reach the provider. */
  async sentAll(fields: Fields, files: Files = IMAGE): Promise<Record<string, string>> {
    return fieldsSeen(await this.#taken(fields, files));
  }

  /** What reaches the provider beside model, prompt and files. */
  async sent(fields: Fields, files: Files = IMAGE): Promise<Record<string, string>> {
    const { model: _model, prompt: _prompt, ...rest } = await this.sentAll(fields, files);
    return rest;
  }

  async sentFiles(fields: Fields, files: Files): Promise<readonly FileSeen[]> {
    return filesSeen(await this.#taken(fields, files));
  }

  /** The error of a form that must not reach the provider. */
  async refused(fields: Fields, files: Files = IMAGE): ReturnType<typeof errorOf> {
    const response = await this.edit(fields, files);
    const error = await errorOf(response);
    expect([response.status, error.type]).toEqual([400, "invalid_request_error"]);
    expect(this.asked).toEqual([]);
    return error;
  }

  async response(fields: Fields, files: Files = IMAGE): Promise<Record<string, unknown>> {
    const response = await this.edit(fields, files);
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  }

  async #taken(fields: Fields, files: Files): Promise<WireSeen> {
    this.wire.seen.length = 0;
    const response = await this.edit(fields, files);
    expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
    const [seen] = this.asked;
    if (seen === undefined) throw new Error("nothing reached the provider");
    return seen;
  }
}
