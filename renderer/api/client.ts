import * as z from "zod";
import {
  controlOperations,
  type ControlInput,
  type ControlName,
  type ControlOutput,
} from "../../gateway/contract/control.ts";
import { nestedErrorSchema } from "../../gateway/contract/errors.ts";

/** A refusal of the gateway, in its own words. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly status: number;
  readonly code: string | null;
  /** The field at fault, when there is one. */
  readonly param: string | null;

  constructor(status: number, code: string | null, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

/** No answer came: the gateway is stopped, restarting, or out of reach. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

export interface ControlClientOptions {
  /** The bearer of the moment; null before the session is open. */
  bearer(): string | null;
  /** Called when a bearer was sent and refused. */
  onUnauthorized(): void;
  fetch?: typeof fetch;
}

export interface ControlClient {
  /**
   * Runs one control operation. `id` fills `:id` of its path.
   * @throws ControlError with the gateway's sentence; UnreachableError when no answer came
   */
  call<Name extends ControlName>(name: Name, input?: ControlInput<Name>, id?: string): Promise<ControlOutput<Name>>;
}

/** A typed client over `controlOperations`: one function for all of them. */
export function createControlClient(options: ControlClientOptions): ControlClient {
  const send = options.fetch ?? ((address, init) => fetch(address, init));
  return {
    async call<Name extends ControlName>(name: Name, input?: ControlInput<Name>, id?: string) {
      const { path, init } = requestOf(name, input ?? {}, id);
      const bearer = options.bearer();
      const headers: Record<string, string> = { accept: "application/json" };
      if (init.body !== undefined) headers["content-type"] = "application/json";
      if (bearer !== null) headers["authorization"] = `Bearer ${bearer}`;
      let response: Response;
      let body: unknown;
      try {
        response = await send(path, { ...init, headers, cache: "no-store" });
        body = await jsonOf(response);
      } catch (error) {
        throw new UnreachableError("Postern does not answer", { cause: error });
      }
      if (response.status === 401 && bearer !== null) options.onUnauthorized();
      if (!response.ok) throw errorOf(response.status, body);
      return parsed(name, body);
    },
  };
}

interface PlainRequest {
  readonly path: string;
  readonly init: { readonly method: string; readonly body?: string };
}

/** Where an operation goes: query for a GET, JSON body otherwise (none for a DELETE, which carries nothing). */
export function requestOf(name: ControlName, input: object, id?: string): PlainRequest {
  const { method, path: template } = controlOperations[name];
  const path = template.replace(":id", () => {
    if (id === undefined) throw new TypeError(`${name} needs an id`);
    return encodeURIComponent(id);
  });
  if (method === "DELETE") return { path, init: { method } };
  if (method !== "GET") return { path, init: { method, body: JSON.stringify(input) } };
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(input)) if (value !== undefined) query.set(field, String(value));
  return { path: query.size === 0 ? path : `${path}?${query}`, init: { method } };
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorOf(status: number, body: unknown): ControlError {
  const envelope = nestedErrorSchema.safeParse(body);
  if (!envelope.success) return new ControlError(status, null, `Postern answered with status ${status}.`);
  const { message, code, param } = envelope.data.error;
  return new ControlError(status, code, message, param);
}

function parsed<Name extends ControlName>(name: Name, body: unknown): ControlOutput<Name> {
  const schema: z.ZodType = controlOperations[name].output;
  const result = schema.safeParse(body);
  if (result.success) return result.data as ControlOutput<Name>;
  const where = z.prettifyError(result.error).split("\n")[0] ?? "";
  throw new ControlError(200, "unexpected_answer", `Postern's answer to ${name} was not understood (${where}).`);
}
