import { createServer } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { postern, type Ended, type Terminal } from "./run.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  instanceProof,
  publishInstance,
  tokenDigest,
  writeControlToken,
} from "../../../gateway/store/disk/instance.ts";

/** A request as the control API received it. */
export interface ReceivedCall {
  readonly method: string;
  readonly address: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

export interface HttpResponse {
  readonly status?: number;
  readonly body: unknown;
}

/** A data folder whose Postern is a server that gives the responses of a table, by `METHOD path`. */
export interface FakeControl extends AsyncDisposable {
  readonly folder: string;
  readonly url: string;
  readonly calls: ReceivedCall[];
  /** Runs `postern …` on the folder. */
  run(argv: readonly string[], terminal?: Terminal): Promise<Ended>;
}

export const fakeToken = "control-token-of-the-fake";

export async function startFakeControl(responses: Readonly<Record<string, HttpResponse>>): Promise<FakeControl> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const { method = "", url: asked = "" } = request;
      const nonce = /^\/control\/proof\?nonce=([\w-]+)$/.exec(asked)?.[1];
      if (nonce !== undefined) {
        const proof = instanceProof(tokenDigest(fakeToken), url, nonce);
        response.end(JSON.stringify({ proof }));
        return;
      }
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      calls.push({ method, address: asked, authorization: request.headers.authorization, body });
      const result = responses[`${method} ${asked.replace(/\?.*$/, "")}`];
      response.writeHead(result?.status ?? (result === undefined ? 404 : 200), { "content-type": "application/json" });
      response.end(JSON.stringify(result?.body ?? refusal("unknown_url", "There is no such address.")));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = await mkdtemp(join(tmpdir(), "postern-command-"));
  await publishInstance(folder, { url, pid: process.pid, startedAt: 1 });
  await writeControlToken(folder, fakeToken);
  return {
    folder,
    url,
    calls,
    run: (argv, terminal) => postern([...argv, "--data-dir", folder], terminal),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs `postern …` once on a server that gives these responses. */
export async function runWith(
  responses: Readonly<Record<string, HttpResponse>>,
  argv: readonly string[],
  terminal?: Terminal,
): Promise<Ended> {
  await using control = await startFakeControl(responses);
  return await control.run(argv, terminal);
}

/** The error envelope of the control API. */
export function refusal(code: string, message: string): { error: object } {
  return { error: { message, type: "invalid_request_error", param: null, code } };
}
