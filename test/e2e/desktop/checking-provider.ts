import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider of one model, on this machine, that takes the keys that it is given and no others. */
export interface CheckingProvider {
  readonly baseUrl: string;
  close(): Promise<void>;
}

export const MODEL = "tiny";

export async function startCheckingProvider(...keys: readonly string[]): Promise<CheckingProvider> {
  const server = createServer((request, response) => {
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    request.resume();
    const key = request.headers.authorization?.replace("Bearer ", "") ?? "";
    if (!keys.includes(key)) reply(401, { error: { message: "Wrong key.", type: "x", code: "invalid_api_key" } });
    else if (request.url === "/v1/models") reply(200, { data: [{ id: MODEL, object: "model", owned_by: "test" }] });
    else {
      const choice = { index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" };
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      reply(200, { id: "c", object: "chat.completion", created: 1, model: MODEL, choices: [choice], usage });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
