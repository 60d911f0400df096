import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type {
  AppliedClient,
  ClientCheck,
  ClientId,
  ClientModels,
  ClientPart,
  ClientPlan,
  ClientsView,
  ClientView,
} from "../../../../gateway/contract/clients.ts";
import { startGateway, type TestGateway, type TestOptions } from "../../../support/running-gateway.ts";

export const CHAT_MODEL = "gpt-5.4-mini";

/** A gateway with the sandbox, on behalf of someone whose home folder is a temporary one. */
export class ClientHarness {
  readonly gateway: TestGateway;
  readonly home: string;

  constructor(gateway: TestGateway, home: string) {
    this.gateway = gateway;
    this.home = home;
  }

  path(...parts: readonly string[]): string {
    return join(this.home, ...parts);
  }

  async put(file: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.path(file)), { recursive: true });
    await writeFile(this.path(file), content);
  }

  /** Null when there is no such file. */
  async bytes(file: string): Promise<Buffer | null> {
    return readFile(this.path(file)).catch(() => null);
  }

  async list(): Promise<ClientsView> {
    return this.gateway.ask<ClientsView>("GET", "/clients");
  }

  async view(id: ClientId): Promise<ClientView> {
    const found = (await this.list()).data.find((client) => client.id === id);
    if (found === undefined) throw new Error(`no client ${id}`);
    return found;
  }

  plan(id: ClientId, parts: readonly ClientPart[], models: ClientModels = { main: CHAT_MODEL }): Promise<ClientPlan> {
    return this.gateway.ask<ClientPlan>("POST", `/clients/${id}/plan`, { parts, models });
  }

  async connect(
    id: ClientId,
    parts: readonly ClientPart[],
    models: ClientModels = { main: CHAT_MODEL },
    more: object = {},
  ): Promise<AppliedClient> {
    const { token } = await this.plan(id, parts, models);
    return this.gateway.ask<AppliedClient>("POST", `/clients/${id}/connect`, { parts, models, token, ...more });
  }

  async check(id: ClientId): Promise<readonly ClientCheck[]> {
    return (await this.gateway.ask<{ data: ClientCheck[] }>("POST", `/clients/${id}/check`, {})).data;
  }

  planUndo(id: ClientId): Promise<ClientPlan> {
    return this.gateway.ask<ClientPlan>("POST", `/clients/${id}/undo-plan`, {});
  }

  async undo(id: ClientId): Promise<ClientView> {
    const { token } = await this.planUndo(id);
    return this.gateway.ask<ClientView>("POST", `/clients/${id}/undo`, { token });
  }

  /** The sentence with which an operation is refused. */
  async refusal(path: string, body: object): Promise<string> {
    const response = await this.gateway.control("POST", `/clients/${path}`, body);
    const result = (await response.json()) as { error?: { message: string } };
    return result.error === undefined ? "" : `${response.status} ${result.error.message}`;
  }

  /** Forgets what was put into the home folder. */
  async clear(): Promise<void> {
    await rm(this.home, { recursive: true, force: true });
    await mkdir(this.home);
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await rm(this.home, { recursive: true, force: true });
  }
}

export async function openHarness(options: TestOptions = {}): Promise<ClientHarness> {
  const home = await mkdtemp(join(tmpdir(), "postern-home-"));
  const gateway = await startGateway({ ...options, env: { HOME: home, POSTERN_SANDBOX: "on", ...options.env } });
  return new ClientHarness(gateway, home);
}
