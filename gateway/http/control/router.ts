import { Router } from "@koa/router";
import { CONTROL_EVENTS_PATH, CONTROL_PROOF_PATH } from "../../contract/control-paths.ts";
import { controlOperations } from "../../contract/control.ts";
import type { ControlInput, ControlName } from "../../contract/control.ts";
import type { ControlOperation } from "../../contract/control-operation.ts";
import { FIRST_ISSUE } from "../../contract/first-issue.ts";
import { GatewayError } from "../../core/errors.ts";
import { validationError } from "../../core/validation.ts";
import type { Events } from "../../services/events.ts";
import { TO_THE_LETTER } from "../area.ts";
import { HttpReply } from "../http-reply.ts";
import { MAX_JSON_BYTES } from "../middleware/json-body.ts";
import type { Context, Next, RequestState } from "../state.ts";
import type { ControlHandlers } from "../../contract/control.ts";
import type { Sessions } from "./sessions.ts";
import { streamEvents } from "./stream-events.ts";

const MIB = 1024 * 1024;
const NONCE = /^[\w-]{16,200}$/;

/** The control API as `contract/control.ts` describes it: one route for each operation, nothing besides. */
export async function createControlRouter(
  handlers: ControlHandlers,
  sessions: Sessions,
  events: Events,
): Promise<Router<RequestState>> {
  // Loaded with the first control request, not at the start: it is a quarter of the start.
  const { koaBody } = await import("koa-body");
  const parserUpTo = (limit: number) =>
    koaBody({
      text: false,
      urlencoded: false,
      multipart: false,
      jsonLimit: limit,
      jsonStrict: true,
      onError: (error) => refuseBody(error, limit),
    });
  const parseBody = parserUpTo(MIB);
  // Same limit as on /v1: a tool trial takes the same pictures.
  const parseLargeBody = parserUpTo(MAX_JSON_BYTES);
  const router = new Router<RequestState>(TO_THE_LETTER);
  for (const name of Object.keys(controlOperations) as ControlName[]) {
    const { method, path, input, large }: ControlOperation = controlOperations[name];
    const handler = handlers[name] as (input: unknown, id: string) => unknown;
    router.register(path, [method], [
      async (context: Context, next: Next): Promise<void> => {
        const { authorization } = context.req.headers;
        if (name === "openSession") sessions.refuseLocalKey(authorization);
        else await sessions.check(authorization);
        if (method === "GET" || method === "DELETE") return next();
        requireJson(context);
        return (large === true ? parseLargeBody : parseBody)(context, next) as Promise<void>;
      },
      async (context: Context): Promise<void> => {
        const given: unknown =
          method === "GET" || method === "DELETE" ? { ...context.query } : (context.request.body ?? {});
        const checked = input.safeParse(given, FIRST_ISSUE);
        if (!checked.success) throw validationError(checked.error, given);
        if (needsConsent(name, checked.data) && (await sessions.check(context.req.headers.authorization)) === "page") {
          await sessions.confirm((checked.data as { page_token?: string }).page_token);
        }
        const id = (context as Context & { params: Record<string, string> }).params["id"] ?? "";
        context.set("cache-control", "no-store");
        context.body = await handler(checked.data, id);
      },
    ] as never);
  }
  router.get(CONTROL_EVENTS_PATH, async (context) => {
    const { authorization } = context.req.headers;
    await sessions.check(authorization);
    context.respond = false;
    await streamEvents(events, new HttpReply(context.res), () => sessions.touch(authorization));
  });
  router.get(CONTROL_PROOF_PATH, (context) => {
    const { nonce } = context.query;
    if (typeof nonce !== "string" || !NONCE.test(nonce))
      throw new GatewayError("invalid_value", "nonce must be 16 to 200 characters of base64url.", { param: "nonce" });
    context.set("cache-control", "no-store");
    context.body = { proof: sessions.prove(nonce) };
  });
  return router;
}

/** Tells whether an operation exports keys, or issues consent tokens, for which a page alone is not trusted. */
function needsConsent(name: ControlName, input: unknown): boolean {
  if (name === "issuePageToken") return true;
  return name === "exportSetup" && (input as ControlInput<"exportSetup">).passphrase !== undefined;
}

/** An empty body needs no content type; any other must be JSON, which no web form can send. */
function requireJson(context: Context): void {
  const { headers } = context.req;
  const empty =
    headers["content-length"] === "0" ||
    (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined);
  if (!empty && context.is("application/json") === false) {
    throw new GatewayError(
      "unsupported_media_type",
      "Send the body as JSON, with the header Content-Type: application/json.",
    );
  }
}

function refuseBody(error: Error, limit: number): never {
  if ("status" in error && error.status === 413) {
    throw new GatewayError("request_too_large", `The body is larger than ${limit / MIB} MiB.`, { cause: error });
  }
  throw new GatewayError("invalid_json", "The body is not valid JSON.", { cause: error });
}
