import { DEFAULT_PRIORITY } from "../../contract/connection.ts";
import type { CreateConnection, UpdateConnection } from "../../contract/connection.ts";
import { GatewayError } from "../../core/errors.ts";
import { nanoFromUsd } from "../../lib/money.ts";
import { providers } from "../../providers/registry.ts";
import type { StoredConnection, StoredServer } from "../../store/document.ts";
import type { Document } from "../../store/document.ts";
import type { Secrets } from "../../store/store.ts";
import { checkedBaseUrl, getHome } from "./base-url.ts";
import { getCaching, findProviderId, mayOpen, movedTo, getPeer, refuseForFound } from "./connection-rules.ts";
import { makeConnection } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { openHeaders } from "./own-headers.ts";
import { openProxy } from "../proxy-choice.ts";
import { getServerId } from "./found-servers.ts";
import { loopbackOrigin } from "./local-servers.ts";

/** Priority of detected servers, after all connections that the user added. */
const SERVER_PRIORITY = 1_000;

/**
 * Creates the record of a new connection, without its keys.
 * @throws GatewayError if the provider is unknown or its address is not a URL
 */
export async function newConnection(id: string, input: CreateConnection, now: number): Promise<StoredConnection> {
  const providerId = findProviderId(input.provider);
  const provider = providers[providerId];
  const allowed = input.allow_http === true;
  const home = input.base_url ?? getHome(provider, input.keys ?? []);
  const base_url = await checkedBaseUrl(provider, home, allowed);
  return {
    id,
    provider: providerId,
    name: input.name,
    base_url,
    priority: input.priority ?? DEFAULT_PRIORITY,
    enabled: true,
    allow_http: allowed && isPlainHttp(base_url),
    stands_in: input.stands_in ?? true,
    prompt_caching: getCaching(provider, input.prompt_caching ?? false),
    models: input.models ?? [],
    ...(input.body !== undefined && { body: input.body }),
    rpm: input.rpm ?? null,
    concurrency: input.concurrency ?? null,
    credit_notice_nano: toNano(input.credit_notice ?? null),
    origin: "created",
    created_at: now,
    secrets: [],
  };
}

/** The record of a program that was found on this machine and that the owner uses. */
export function serverConnection(server: StoredServer, name: string, now: number): StoredConnection {
  return {
    id: getServerId(server),
    provider: "openai-compatible",
    name,
    base_url: `${loopbackOrigin(server.port)}/v1`,
    priority: SERVER_PRIORITY,
    enabled: true,
    origin: "created",
    created_at: now,
    secrets: [],
    server,
  };
}

/**
 * Applies a change to a connection; its keys stay the same.
 * @throws GatewayError if the change does not apply to this connection, or would send its keys to another address
 */
export async function changedConnection(record: StoredConnection, change: UpdateConnection): Promise<StoredConnection> {
  refuseForFound(record, change);
  const moved = await movedTo(record, change);
  return {
    ...record,
    name: change.name ?? record.name,
    ...moved,
    priority: change.priority ?? record.priority,
    enabled: change.enabled ?? record.enabled,
    stands_in: change.stands_in ?? record.stands_in ?? true,
    prompt_caching: getCaching(providers[record.provider], change.prompt_caching ?? record.prompt_caching ?? false),
    models: change.models ?? record.models ?? [],
    ...(change.body !== undefined && { body: change.body }),
    ...(change.rpm !== undefined && { rpm: change.rpm }),
    ...(change.concurrency !== undefined && { concurrency: change.concurrency }),
    ...(change.credit_notice !== undefined && { credit_notice_nano: toNano(change.credit_notice) }),
  };
}

const toNano = (amount: number | null): number | null => (amount === null ? null : nanoFromUsd(amount));

export const isPlainHttp = (baseUrl: string): boolean => new URL(baseUrl).protocol === "http:";

type Named = Pick<Connection, "id" | "name">;

export function getHolder(known: readonly Named[], name: string, except: string | null): Named | undefined {
  return known.find((one) => one.id !== except && one.name.toLowerCase() === name.toLowerCase());
}

/**
 * Names must be unique, because models can be requested as `name/model`.
 * @throws GatewayError conflict
 */
export function refuseDouble(known: readonly Named[], name: string, except: string | null): void {
  if (getHolder(known, name, except) === undefined) return;
  throw new GatewayError("conflict", `There is a connection with the name "${name}" already. Choose another name.`, {
    param: "name",
  });
}

/** A stored connection as it is used at run time. */
export function runtimeConnection(
  record: StoredConnection,
  secrets: Pick<Secrets, "get">,
  discoveries: Document["discoveries"],
): Connection {
  const discovered = discoveries.get(record.id);
  return makeConnection({
    id: record.id,
    provider: providers[record.provider],
    name: record.name,
    baseUrl: record.base_url,
    priority: record.priority,
    enabled: record.enabled,
    from: record.server === undefined ? "created" : "local",
    createdAt: record.created_at,
    peer: getPeer(record, openProxy(record, secrets), openHeaders(record, secrets)),
    headerNames: (record.headers ?? []).map(({ name }) => name),
    body: record.body,
    pace: { rpm: record.rpm ?? null, concurrency: record.concurrency ?? null },
    creditNoticeNano: record.credit_notice_nano,
    standsIn: record.stands_in,
    promptCaching: record.prompt_caching,
    ownModels: record.models,
    credentials: record.secrets.map(({ id, hint }) => {
      const secret = openedKey(secrets, id, record);
      return { secret: secret ?? null, hint, locked: secret === undefined };
    }),
    discovered,
  });
}

/** Decrypts a key of a connection, if possible and if it was given for this address. */
export function openedKey(
  secrets: Pick<Secrets, "get">,
  id: string,
  { base_url }: StoredConnection,
): string | undefined {
  return mayOpen(id, base_url) ? secrets.get(id) : undefined;
}
