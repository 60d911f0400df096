import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A small OpenAI-compatible server, as people run one beside Postern. */
export interface LocalProvider {
  readonly baseUrl: string;
  /** Keys that it takes; empty takes every one. */
  readonly accepted: Set<string>;
  close(): Promise<void>;
}

export async function startLocalProvider(models: readonly string[]): Promise<LocalProvider> {
  const accepted = new Set<string>();
  const server = createServer((incoming, outgoing) => {
    const response = (status: number, body: unknown): void => {
      outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    incoming.resume();
    const key = incoming.headers.authorization?.replace("Bearer ", "") ?? "";
    if (accepted.size > 0 && !accepted.has(key)) {
      response(401, {
        error: {
          message: "Incorrect API key provided.",
          type: "invalid_request_error",
          code: "invalid_api_key",
          param: null,
        },
      });
    } else if (incoming.url === "/v1/models") {
      response(200, {
        object: "list",
        data: models.map((id) => ({ id, object: "model", created: 0, owned_by: "local" })),
      });
    } else {
      response(404, {
        error: { message: `No ${incoming.url}`, type: "invalid_request_error", code: null, param: null },
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    accepted,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
