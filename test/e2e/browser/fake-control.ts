import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";
import type { BudgetView } from "../../../gateway/contract/budgets.ts";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import type { State } from "../../../gateway/contract/control.ts";
import type { GatewayEvent } from "../../../gateway/contract/events.ts";
import type { KeyView } from "../../../gateway/contract/key.ts";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { matchesRequest, getSearch } from "../../../gateway/contract/matches-request.ts";
import type { RouteEffect, RouteView } from "../../../gateway/contract/route-operations.ts";
import type { SetRoute } from "../../../gateway/contract/routes.ts";
import { listRequestsSchema, type RequestDetail, type RequestPage } from "../../../gateway/contract/requests.ts";
import { connections, fakeModels, keys, presets, stateOf } from "./fixtures.ts";
import { budgets, budgetsResponse } from "./fake-budgets.ts";
import { figuresResponse } from "./fake-requests.ts";
import { sessionsResponse } from "./fake-sessions.ts";
import { noEffect, routesResponse } from "./fake-routes.ts";
import { usageResponse } from "./fake-usage.ts";
import { receipts } from "./receipts.ts";

/**
 * A control API without a gateway behind it, for states that a real one does not get into on demand: errors, a broken
 * event stream, thousands of keys, a refusing disk. It serves the built pages under the real content security policy.
 */
export interface FakeControl {
  readonly url: string;
  /** The address that opens the pages. */
  readonly ui: string;
  state: State;
  keys: KeyView[];
  connections: ConnectionView[];
  receipts: Receipt[];
  routes: RouteView[];
  budgets: BudgetView[];
  /** What a route would have done. */
  effectOf: (route: SetRoute) => RouteEffect;
  /** `METHOD /path` → the response instead of the usual one; the status 0 hangs up. */
  readonly responses: Map<string, { readonly status: number; readonly body: unknown }>;
  /** Answers of one feature: asked first, for any path; `false` leaves the request to the usual answers. */
  serve: ((incoming: IncomingMessage, outgoing: ServerResponse, address: URL) => boolean | Promise<boolean>) | null;
  /** Every control request as `METHOD /path`, in order. */
  readonly seen: string[];
  emit(event: GatewayEvent): void;
  /** Resolves when a page follows the events: those that were emitted before are lost. */
  followed(): Promise<void>;
  /** Ends all event streams and refuses new ones while `true`. */
  silence(on: boolean): void;
  /** Makes it as it was in the beginning, for the next test. */
  reset(): void;
  close(): Promise<void>;
}

const PAGES = join(import.meta.dirname, "../../../out/renderer");
export const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const types: Record<string, string> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

export async function startFakeControl(): Promise<FakeControl> {
  const streams = new Set<ServerResponse>();
  let silent = false;
  const waiting: (() => void)[] = [];
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const fake: FakeControl = {
    url,
    ui: `${url}/#token=fake-token`,
    ...beginning(url),
    responses: new Map(),
    serve: null,
    seen: [],
    emit: (event) => streams.forEach((stream) => stream.write(`data: ${JSON.stringify(event)}\n\n`)),
    followed: () =>
      new Promise((resolve) => {
        if (streams.size > 0) resolve();
        else waiting.push(resolve);
      }),
    silence(on) {
      silent = on;
      if (on) streams.forEach((stream) => stream.destroy());
    },
    reset() {
      silent = false;
      waiting.length = 0;
      for (const stream of streams) stream.destroy();
      streams.clear();
      fake.responses.clear();
      fake.seen.length = 0;
      Object.assign(fake, beginning(url), { serve: null });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const address = new URL(incoming.url ?? "/", url);
    const { pathname } = address;
    const route = `${incoming.method} ${pathname}`;
    if (pathname.startsWith("/control")) fake.seen.push(route);
    if (!fake.responses.has(route) && (await fake.serve?.(incoming, outgoing, address)) === true) return;
    if (!pathname.startsWith("/control")) return servePage(pathname, outgoing);
    if (pathname === "/control/events") {
      if (silent) return void outgoing.destroy();
      outgoing.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
      streams.add(outgoing.on("close", () => streams.delete(outgoing)));
      for (const resolve of waiting.splice(0)) resolve();
      return;
    }
    if (/^\/control\/(usage|requests)($|\/(series|cells)$)/.test(pathname) && !fake.responses.has(route)) {
      const response =
        pathname === "/control/requests"
          ? (figuresResponse(fake, address) ?? requestPage(fake, address))
          : usageResponse(address);
      return void outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(response));
    }
    const figures = fake.responses.has(route) ? undefined : figuresResponse(fake, address);
    if (figures !== undefined) {
      return void outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(figures));
    }
    const sessions = fake.responses.has(route) ? undefined : sessionsResponse(fake, address);
    if (sessions !== undefined) {
      return void outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(sessions));
    }
    const { status, body } = fake.responses.get(route) ?? respondTo(fake, route, await bodyOf(incoming));
    if (status === 0) outgoing.destroy();
    else outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
  return fake;
}

/** What it has before a test changes it. */
function beginning(
  url: string,
): Pick<FakeControl, "state" | "keys" | "connections" | "receipts" | "routes" | "budgets" | "effectOf"> {
  return {
    state: stateOf(url),
    keys: [...keys],
    connections: [...connections],
    receipts: [...receipts],
    routes: [],
    budgets: [...budgets],
    effectOf: () => noEffect,
  };
}

/** An error in the nested envelope. */
export function refusal(status: number, message: string, code = "invalid_value", param: string | null = null) {
  return { status, body: { error: { message, type: "invalid_request_error", param, code } } };
}

async function bodyOf(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of incoming) text += String(part);
  return text === "" ? {} : JSON.parse(text);
}

function respondTo(fake: FakeControl, route: string, body: Record<string, unknown>): { status: number; body: unknown } {
  const ok = (response: unknown) => ({ status: 200, body: response });
  const id = route.split("/")[3] ?? "";
  const ofRoutes = routesResponse(fake, route, body) ?? budgetsResponse(fake, route, body);
  if (ofRoutes !== undefined) return ok(ofRoutes);
  switch (route.replace(id === "" ? /$/ : id, id === "" ? "" : ":id")) {
    case "POST /control/session":
      return body["token"] === "fake-token"
        ? ok({ bearer: "fake-bearer" })
        : refusal(401, "The token was used already. Run npm run postern -- open for a fresh one.");
    case "GET /control/state":
      return ok(fake.state);
    case "GET /control/keys":
      return ok({ data: fake.keys });
    case "PATCH /control/keys/:id":
      fake.keys = fake.keys.map((key) =>
        key.id === id ? { ...key, ...body, state: body["disabled"] === true ? "disabled" : "active" } : key,
      );
      return ok(fake.keys.find((key) => key.id === id));
    case "GET /control/connections":
      return ok({ data: fake.connections });
    case "GET /control/local-servers":
      return ok({ data: [] });
    case "GET /control/presets":
      return ok({ data: presets });
    case "GET /control/models":
      return ok({ data: fakeModels });
    case "GET /control/running-requests":
      return ok({ data: [], total: 0 });
    case "GET /control/requests/:id": {
      const receipt = fake.receipts.find((each) => each.id === id);
      return receipt === undefined ? refusal(404, "There is no such request.", "not_found") : ok(unrecorded(receipt));
    }
    case "GET /control/recordings":
      return ok({ on: false, bytes: 0, oldest_at: null, lost: 0 });
    case "DELETE /control/notices/:id":
      fake.state = { ...fake.state, notices: fake.state.notices.filter((notice) => notice.id !== id) };
      return ok({ ok: true });
    default:
      return refusal(404, `The fake has no ${route}.`, "unknown_url");
  }
}

/** The newest of those that the query's filter lets in, as the gateway answers. */
function requestPage({ receipts: all, connections: known }: FakeControl, { searchParams }: URL): RequestPage {
  const {
    by: _by,
    order: _order,
    limit = 50,
    before,
    ...filter
  } = listRequestsSchema.parse(Object.fromEntries(searchParams));
  const search = getSearch(filter, known);
  const matching = all.filter((receipt) => matchesRequest(receipt, search));
  const from = matching.findIndex(({ id }) => id === before) + 1;
  const data = matching.slice(from, from + limit);
  const cursor = from + data.length < matching.length ? (data.at(-1)?.id ?? null) : null;
  return { data, cursor, complete: true, rebuilding: null };
}

/** A request of which nothing was recorded. */
function unrecorded(receipt: Receipt): RequestDetail {
  return {
    receipt,
    recording: null,
    recording_on: false,
    resend_obstacle: "not_recorded",
    media: [],
    task: null,
  };
}

async function servePage(pathname: string, outgoing: ServerResponse): Promise<void> {
  const file = normalize(pathname === "/" ? "/index.html" : pathname);
  try {
    const bytes = await readFile(join(PAGES, file));
    const type = types[file.split(".").at(-1) ?? ""] ?? "application/octet-stream";
    // As the gateway serves them: a browser compiles what it may keep once.
    const cache = file.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    outgoing
      .writeHead(200, { "content-type": type, "content-security-policy": CSP, "cache-control": cache })
      .end(bytes);
  } catch {
    outgoing.writeHead(404).end();
  }
}
