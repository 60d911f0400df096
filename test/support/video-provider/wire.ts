import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpResponse, SentRequest } from "./protocol.ts";

/**
 * What goes wrong with one request. `answer`: the provider says this instead; `drop`: the connection breaks without an
 * answer; `hang`: it stays open and silent. With `after`, the provider has done what it was asked: a submission is
 * accepted. `cut`: so many bytes of the response's body, then the connection breaks.
 */
export type Fault =
  | {
      readonly do: "answer";
      readonly status: number;
      /** JSON; missing: no body. */
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly after?: boolean;
    }
  | { readonly do: "drop"; readonly after?: boolean }
  | { readonly do: "hang"; readonly after?: boolean }
  | { readonly do: "cut"; readonly bytes: number };

/** @returns null when the connection broke before the request was whole. */
export async function askedBy(incoming: IncomingMessage, origin: string): Promise<SentRequest | null> {
  const url = new URL(incoming.url ?? "/", origin);
  const parts: Buffer[] = [];
  try {
    for await (const part of incoming) parts.push(part as Buffer);
  } catch {
    return null;
  }
  const bytes = Buffer.concat(parts);
  return {
    method: incoming.method ?? "",
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    bytes,
    json: jsonOf(bytes),
  };
}

/** Answers, or does what goes wrong. */
export function send(outgoing: ServerResponse, fault: Fault | null, response: HttpResponse): void {
  switch (fault?.do) {
    case "hang":
      return;
    case "drop":
      outgoing.destroy();
      return;
    case "answer": {
      const body = fault.body === undefined ? "" : JSON.stringify(fault.body);
      outgoing.writeHead(fault.status, { "content-type": "application/json", ...fault.headers }).end(body);
      return;
    }
    default:
      break;
  }
  const bytes = Buffer.isBuffer(response.body) ? response.body : Buffer.from(textOf(response));
  const type = response.body === undefined ? {} : { "content-type": response.type ?? "application/json" };
  outgoing.writeHead(response.status, { ...type, "content-length": bytes.length });
  if (fault === null) outgoing.end(bytes);
  else outgoing.write(bytes.subarray(0, fault.bytes), () => outgoing.destroy());
}

function textOf({ body, type }: HttpResponse): string {
  if (body === undefined) return "";
  return type !== undefined && typeof body === "string" ? body : JSON.stringify(body);
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

/** `GET /models` as all of them answer it. */
export function modelList(ids: readonly string[]): object {
  return {
    object: "list",
    data: ids.map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "video-provider" })),
  };
}
