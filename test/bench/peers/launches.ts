import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ccproxyProgram, codexProgram } from "./install.ts";
import { nginxProxyConfig } from "./nginx.ts";
import { startCommand } from "../start-command.ts";

/** How one contender is started in front of a mock. */
export interface Launch {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What a contender is started with. */
export interface Place {
  readonly port: number;
  /** More of them, for programs that listen on several. */
  readonly morePorts: readonly [number, number];
  readonly upstreamPort: number;
  /** The mock streams. */
  readonly streamed: boolean;
  /** The contender's own, to keep what it likes; its home folder too, since some write into those of other programs. */
  readonly folder: string;
  /** Where it is installed. */
  readonly peer: string;
}

const KEY = "sk-test-of-the-benchmarks";
const UPSTREAM_KEY = "sk-upstream";
const MODEL = "gpt-4o-mini";
const node = process.execPath;
const projectFolder = join(import.meta.dirname, "../../..");

/** A plain reverse proxy. */
export function nginx({ folder, port, upstreamPort, streamed }: Place): Launch {
  const config = join(folder, "proxy.conf");
  writeFileSync(config, nginxProxyConfig(folder, port, upstreamPort, streamed));
  return { command: ["nginx", "-c", config] };
}

/** Given by each request's headers where to go. */
export function portkey({ peer, port }: Place): Launch {
  const program = join(peer, "node_modules/@portkey-ai/gateway/build/start-server.js");
  return { command: [node, program, `--port=${port}`, "--headless"] };
}

/** A library, started by a few lines of ours. */
export function llms({ peer, port, upstreamPort }: Place): Launch {
  const launcher = join(import.meta.dirname, "tools/llms-server.mjs");
  return { command: [node, launcher, peer, String(port), `http://127.0.0.1:${upstreamPort}/v1/chat/completions`] };
}

/**
 * It reads the file of version 2 at its first start. What it records of calls (tokens and cost in SQLite) goes by way of
 * traces of requests in files, which an environment variable switches off.
 * @param books a request log with bodies, and limits of the key that are counted and never reached.
 */
export function ccr({ peer, port, morePorts, upstreamPort, folder }: Place, books: boolean): Launch {
  const [pagesPort, corePort] = morePorts;
  const home = join(folder, ".claude-code-router");
  mkdirSync(home, { recursive: true });
  const limits = { rpm: 1_000_000_000, tpm: 1_000_000_000_000 };
  const config = {
    // Its core's port would be the next one, which may be taken.
    gateway: { enabled: true, host: "127.0.0.1", port, corePort },
    APIKEYS: [{ id: "bench", name: "bench", key: KEY, ...(books ? { limits } : {}) }],
    Providers: [
      {
        name: "mock",
        api_base_url: `http://127.0.0.1:${upstreamPort}/v1/chat/completions`,
        api_key: UPSTREAM_KEY,
        models: [MODEL],
      },
    ],
    observability: { requestLogs: books },
    // Else it writes into the settings of coding agents.
    profile: { enabled: false },
  };
  writeFileSync(join(home, "config.json"), JSON.stringify(config));
  const program = join(peer, "node_modules/@musistudio/claude-code-router/dist/main/cli.js");
  return {
    command: [node, program, "serve", "--gateway", "--no-open", "--port", String(pagesPort)],
    env: { HOME: folder, ...(books ? {} : { CCR_RAW_TRACE_ENABLED: "0" }) },
  };
}

/**
 * One worker. What a call costs is reported in a header in both set-ups. Keys of its own, their spend and limits, and its
 * log of calls need Postgres by way of an engine that no package registry has.
 * @param books a key is asked for, and a budget of the provider is kept in memory.
 */
export function litellm({ peer, port, upstreamPort, folder }: Place, books: boolean): Launch {
  const config = join(folder, "config.yaml");
  const parameters = {
    model: `openai/${MODEL}`,
    api_base: `http://127.0.0.1:${upstreamPort}/v1`,
    api_key: UPSTREAM_KEY,
  };
  const budget = { openai: { budget_limit: 1_000_000, time_period: "30d" } };
  // JSON is YAML.
  const settings = {
    model_list: [{ model_name: MODEL, litellm_params: parameters }],
    // Messages would go to the Responses API otherwise.
    litellm_settings: { telemetry: false, use_chat_completions_url_for_anthropic_messages: true },
    ...(books ? { general_settings: { master_key: KEY }, router_settings: { provider_budget_config: budget } } : {}),
  };
  writeFileSync(config, JSON.stringify(settings));
  const where = ["--host", "127.0.0.1", "--port", String(port), "--num_workers", "1"];
  return {
    command: [join(peer, "venv/bin/litellm"), "--config", config, ...where],
    env: {
      HOME: folder,
      LITELLM_LOCAL_MODEL_COST_MAP: "True",
      ...(books ? {} : { LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: "true" }),
    },
  };
}

/** Configured by a file alone. @param books calls are logged in SQLite. */
export function bifrost({ peer, port, upstreamPort, folder }: Place, books: boolean): Launch {
  const config = {
    client: { enable_logging: books, drop_excess_requests: false },
    providers: {
      openai: {
        keys: [{ name: "mock", value: UPSTREAM_KEY, models: ["*"], weight: 1 }],
        network_config: { base_url: `http://127.0.0.1:${upstreamPort}` },
      },
    },
    config_store: { enabled: false },
    ...(books
      ? { logs_store: { enabled: true, type: "sqlite", config: { path: join(folder, "logs.db") } } }
      : { logs_store: { enabled: false } }),
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const where = ["-app-dir", folder, "-host", "127.0.0.1", "-port", String(port)];
  return { command: [join(peer, "bin/bifrost-http"), ...where, "-log-level", "error"], env: { HOME: folder } };
}

/** Takes Messages only. It logs several lines of each request, which cannot be switched off. */
export function ccproxy({ peer, port, upstreamPort, folder }: Place): Launch {
  const home = join(folder, ".ccproxy");
  mkdirSync(home, { recursive: true });
  const settings = {
    server: { host: "127.0.0.1", port },
    preferredProvider: "openai",
    providers: {
      openai: { enabled: true, apiKey: UPSTREAM_KEY, baseURL: `http://127.0.0.1:${upstreamPort}/v1` },
    },
    models: { bigModel: MODEL, smallModel: MODEL },
    logging: { level: "error" },
  };
  writeFileSync(join(home, "settings.json"), JSON.stringify(settings));
  return { command: [ccproxyProgram(peer), "server", "--port", String(port)], env: { HOME: folder } };
}

/** Takes the provider's key from its standard input and passes bytes on. */
export function codex({ peer, port, upstreamPort, folder }: Place): Launch {
  const keyFile = join(folder, "key");
  writeFileSync(keyFile, UPSTREAM_KEY);
  const url = `http://127.0.0.1:${upstreamPort}/v1/chat/completions`;
  const proxy = [codexProgram(peer), "responses-api-proxy", "--port", String(port), "--upstream-url", url];
  // The shell replaces itself with the program, so its process id is the program's.
  return { command: ["sh", "-c", 'exec "$@" < "$0"', keyFile, ...proxy], env: { HOME: folder } };
}

/** With everything on. @param limit of the key in USD, or null for none. */
export function postern({ port, upstreamPort, folder }: Place, limit: number | null): Launch {
  const data = join(folder, "data");
  mkdirSync(data, { recursive: true });
  return {
    command: [...startCommand(projectFolder), "--headless", "--port", String(port), "--data-dir", data],
    env: {
      POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "bench", ...(limit === null ? {} : { limit_usd: limit }) }]),
      POSTERN_OPENAI_BASE_URL: `http://127.0.0.1:${upstreamPort}/v1`,
      POSTERN_OPENAI_API_KEY: UPSTREAM_KEY,
    },
  };
}
