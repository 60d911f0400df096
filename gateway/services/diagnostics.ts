import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import type { ConnectionView } from "../contract/connection.ts";
import type { State } from "../contract/control.ts";
import { getSetting, type SettingName, type Settings } from "../contract/settings.ts";
import type { DataFolderView } from "../contract/maintenance.ts";
import { diagnoseFolder, diagnoseRunning } from "../core/diagnosis.ts";
import { GatewayError } from "../core/errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { LoggedLine } from "../lib/log-ring.ts";
import type { KnownSecrets } from "../lib/known-secrets.ts";
import { mapTexts, redact } from "../lib/redact.ts";
import { logFile, readLogBefore } from "../store/disk/log-file.ts";
import { lookAtFolder } from "../store/folder/look-at-folder.ts";
import type { Store } from "../store/store.ts";
import type { Connections } from "./connections/connections.ts";
import type { ManageConnections } from "./connections/manage-connections.ts";
import type { ManageServers } from "./connections/manage-servers.ts";
import type { ManageKeys } from "./keys/manage-keys.ts";

const LINK_LIFE_MS = 10 * 60_000;
const MOST_LINKS = 20;
/** Lines of earlier starts. */
const MOST_EARLIER = 2_000;
/** Max newest receipts whose errors are counted. */
const RECEIPTS = 500;

export interface DiagnosticsDeps {
  readonly version: string;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly store: Store;
  readonly state: () => State;
  readonly settings: () => Settings;
  readonly folder: () => Promise<DataFolderView>;
  readonly connections: Connections;
  readonly secrets: KnownSecrets;
  readonly manageConnections: ManageConnections;
  readonly manageServers: ManageServers;
  readonly manageKeys: ManageKeys;
  /** Returns the secrets that sign webhooks; empty before the first. */
  readonly signingSecrets: () => Promise<readonly string[]>;
  readonly lines: () => readonly LoggedLine[];
}

/** Removes the owner's name of the connection and the ends of its keys, which are private. */
function anonymous(connection: ConnectionView): ConnectionView {
  const credentials = connection.credentials.map((credential) => ({ ...credential, hint: "a key" }));
  return { ...connection, name: connection.provider, credentials };
}

/** Reduces addresses to their origins, because the rest may be a token. */
function withOrigins(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const isAddress = getSetting(name as SettingName).kind === "url" && typeof value === "string";
      return [name, isAddress ? (URL.parse(value)?.origin ?? null) : value];
    }),
  );
}

/** Makes a ZIP for support, which a single-use link downloads. */
export class Diagnostics {
  readonly #deps: DiagnosticsDeps;
  readonly #links = new Map<string, number>();

  constructor(deps: DiagnosticsDeps) {
    this.#deps = deps;
  }

  /** @returns path of the link */
  offer(): { link: string } {
    const token = randomBytes(32).toString("base64url");
    this.#links.set(token, this.#deps.clock.monotonic() + LINK_LIFE_MS);
    for (const oldest of this.#links.keys()) {
      if (this.#links.size <= MOST_LINKS) break;
      this.#links.delete(oldest);
    }
    return { link: `/diagnostics/${token}` };
  }

  /** Takes a link, which works no second time. @throws GatewayError invalid_media_link, media_link_expired */
  async open(token: string): Promise<{ readonly name: string; readonly stream: ReadableStream<Uint8Array> }> {
    const expiresAt = this.#links.get(token);
    this.#links.delete(token);
    if (expiresAt === undefined) {
      throw new GatewayError(
        "invalid_media_link",
        "This link was used already, or is none. Ask for diagnostics again.",
      );
    }
    if (this.#deps.clock.monotonic() >= expiresAt) {
      throw new GatewayError("media_link_expired", "This link has expired. Ask for diagnostics again.");
    }
    const [files, { makeZip }] = await Promise.all([this.files(), import("client-zip")]);
    const now = new Date(this.#deps.clock.now());
    const parts = Object.entries(files).map(([name, input]) => ({ name, input, lastModified: now }));
    return { name: `postern-diagnostics-${now.toISOString().slice(0, 10)}.zip`, stream: makeZip(parts) };
  }

  /** Returns the contents by file name: texts without secrets, prompts, and the name of the home folder. */
  async files(): Promise<Record<string, string>> {
    const { lines, store } = this.#deps;
    const scrub = await this.#scrubber();
    const receipts = await store.usage.list({ limit: RECEIPTS });
    const errors: Record<string, number> = {};
    for (const { status, code, outcome } of receipts.data) {
      if (status < 400 || outcome === "cancelled") continue;
      const name = `${status} ${code ?? "-"}`;
      errors[name] = (errors[name] ?? 0) + 1;
    }
    const about = {
      ...(await this.#about()),
      requests: { looked_at: receipts.data.length, errors },
    };
    const toLine = (line: object): string => `${JSON.stringify(scrub(line))}\n`;
    const { started_at: startedAt } = this.#deps.state();
    const earlier = (await readLogBefore(logFile(this.#deps.dataDir), startedAt)).slice(-MOST_EARLIER);
    const log = lines().map(({ time, level, event, fields }) => ({
      time: new Date(time).toISOString(),
      level,
      event,
      ...fields,
    }));
    return {
      "postern.json": `${JSON.stringify(scrub(about), null, 2)}\n`,
      "log.ndjson": log.map(toLine).join(""),
      ...(earlier.length === 0 ? {} : { "log-before.ndjson": earlier.map(toLine).join("") }),
    };
  }

  async #about(): Promise<Record<string, unknown>> {
    const { version, dataDir, state, settings, folder, manageConnections, manageServers, manageKeys, clock } =
      this.#deps;
    const { notices: _notices, ...now } = state();
    const connections = manageConnections.list();
    const keys = manageKeys.views();
    return {
      made_at: new Date(clock.now()).toISOString(),
      version,
      node: process.version,
      electron: process.versions["electron"] ?? null,
      platform: `${process.platform} ${process.arch}`,
      uptime_seconds: Math.round((clock.now() - now.started_at) / 1_000),
      memory: process.memoryUsage(),
      state: now,
      settings: withOrigins(settings()),
      findings: [
        ...diagnoseFolder(await lookAtFolder(dataDir)),
        ...diagnoseRunning({
          state: state(),
          connections: connections.map(anonymous),
          keys,
          servers: manageServers.list(),
        }),
      ],
      connections: connections.map(({ provider, base_url, enabled, origin, credentials, models }) => ({
        provider,
        host: URL.parse(base_url)?.host ?? null,
        enabled,
        origin,
        keys: credentials.map((credential) => credential.state),
        models: models.count,
        error: models.error,
      })),
      keys: keys.map(({ state: keyState }) => keyState),
      folder: await folder(),
    };
  }

  /** Takes out of every text what must not leave the machine. */
  async #scrubber(): Promise<(value: unknown) => unknown> {
    const { connections, signingSecrets } = this.#deps;
    const providerKeys = connections.all().flatMap(({ credentials }) => credentials.map(({ secret }) => secret ?? ""));
    const secrets = [...providerKeys, ...(await signingSecrets())].filter((secret) => secret !== "");
    const home = homedir();
    const clean = (text: string): string =>
      redact(this.#deps.secrets.cleanText(home.length > 1 ? text.replaceAll(home, "~") : text), secrets);
    return (value) => mapTexts(value, clean);
  }
}
