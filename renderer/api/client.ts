import { OPEN_SESSION } from "../../gateway/contract/control-paths.ts";
import type { ControlInput, ControlName, ControlOutput } from "../../gateway/contract/control.ts";

const fetchSchemas = () => import("./schemas.ts");

/** An error of the gateway with its message. */
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

/** No response: the gateway is stopped, restarting, or unreachable. */
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
   * @param signal frees the connection when the response is no longer needed, as a browser has only six
   * @throws ControlError with the gateway's sentence; UnreachableError without a response
   */
  call<Name extends ControlName>(
    name: Name,
    input?: ControlInput<Name>,
    id?: string,
    signal?: AbortSignal,
  ): Promise<ControlOutput<Name>>;
}

/** A typed client over `controlOperations`: one function for all of them. */
export function createControlClient(options: ControlClientOptions): ControlClient {
  const send = options.fetch ?? ((address, init) => fetch(address, init));
  return {
    async call<Name extends ControlName>(name: Name, input?: ControlInput<Name>, id?: string, signal?: AbortSignal) {
      // Both together; the path of the first request is known without the schemas.
      const schemas = reach(fetchSchemas());
      const route = name === "openSession" ? OPEN_SESSION : (await schemas).getRoute(name);
      const { path, init } = getRequest(name, route, input ?? {}, id);
      const bearer = options.bearer();
      const headers: Record<string, string> = { accept: "application/json" };
      if (init.body !== undefined) headers["content-type"] = "application/json";
      if (bearer !== null) headers["authorization"] = `Bearer ${bearer}`;
      const response = await reach(send(path, { ...init, headers, cache: "no-store", ...(signal && { signal }) }));
      const body = await reach(getJson(response));
      if (response.status === 401 && bearer !== null) options.onUnauthorized();
      const { getRefusal: refusalOf, understood } = await schemas;
      if (!response.ok) {
        const { message, code, param } = refusalOf(body) ?? describeStatus(response.status);
        throw new ControlError(response.status, code, message, param);
      }
      const result = understood(name, body);
      if (result.ok) return result.data;
      const sentence = `Postern's answer to ${name} was not understood (${result.where}).`;
      throw new ControlError(200, "unexpected_answer", sentence);
    },
  };
}

/** @throws UnreachableError when it fails, for whatever reason */
async function reach<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    throw new UnreachableError("Postern does not answer", { cause: error });
  }
}

const describeStatus = (status: number) => ({
  message: `Postern answered with status ${status}.`,
  code: null,
  param: null,
});

interface Route {
  readonly method: string;
  readonly path: string;
}

interface PlainRequest {
  readonly path: string;
  readonly init: { readonly method: string; readonly body?: string };
}

/** Builds the request of an operation: query parameters for a GET, else a JSON body (none for a DELETE). */
export function getRequest(name: ControlName, route: Route, input: object, id?: string): PlainRequest {
  const { method } = route;
  const path = route.path.replace(":id", () => {
    if (id === undefined) throw new TypeError(`${name} needs an id`);
    return encodeURIComponent(id);
  });
  if (method === "DELETE") return { path, init: { method } };
  if (method !== "GET") return { path, init: { method, body: JSON.stringify(input) } };
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(input)) if (value !== undefined) query.set(field, String(value));
  return { path: query.size === 0 ? path : `${path}?${query}`, init: { method } };
}

async function getJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
