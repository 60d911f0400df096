/**
 * Every setting, declared once. The control API, the store, the environment, `postern settings` and the Settings page
 * read it here. Plain data: the page loads it without zod (settings-schema.ts makes the schemas).
 */

import { MOST_USD } from "./money.ts";

/** Panels of the Settings page that show settings. */
export type SettingGroup =
  | "listening"
  | "outbound"
  | "timeouts"
  | "backups"
  | "results"
  | "recordings"
  | "budget"
  | "priceList"
  | "webhooks"
  | "search"
  | "telemetry"
  | "pictures"
  | "sandbox"
  | "updates";

/** Services that search the web if the model's provider does not. */
export const searchProviders = ["none", "brave", "tavily", "exa", "searxng"] as const;
export type SearchProvider = (typeof searchProviders)[number];

interface AnySetting {
  /** Group on the Settings page, with texts of `settings.fields` in renderer/locales; null: not shown there. */
  readonly group: SettingGroup | null;
  /** Takes effect at the next start. Absent: immediately. */
  readonly atRestart?: true;
  /** Environment variable that overrides the stored value. */
  readonly environment?: `POSTERN_${string}`;
  /** Option of `postern settings set`, if that is not the name with dashes. */
  readonly option?: string;
  /** The option's line of help. */
  readonly about: string;
  /** Beginning of its line of `postern settings`. */
  readonly title?: string;
  /** Setting into whose line this one's text is appended, while its value is neither off nor none. */
  readonly after?: string;
}

interface Switch extends AnySetting {
  readonly kind: "switch";
  readonly initial: boolean;
  /** Setting required for this one; without a value the page shows the text `unavailable`. */
  readonly needs?: "price_list_url";
  readonly shown?: (on: boolean) => string;
}

interface Valued<Value> extends AnySetting {
  /** Name of the value in the option's help. */
  readonly value: string;
  readonly shown?: (value: Value) => string;
}

/** The setting may be null, and the command then shows this text; an empty text leaves the line out. */
interface MayBeNone {
  readonly none?: string;
}

interface Amount extends Valued<number>, MayBeNone {
  /** `usd`: stored as an integer of 10⁻⁹ USD. */
  readonly kind: "number" | "integer" | "usd";
  readonly initial: number | null;
  readonly min: number;
  readonly max: number;
}

interface Url extends Valued<string>, MayBeNone {
  readonly kind: "url";
  readonly initial: string | null;
}

/** `system`, `off`, or a proxy URL, whose credentials are stored like a key. */
interface ProxyChoice extends Valued<string> {
  readonly kind: "proxy";
  readonly initial: string;
}

/** The name of a model, no route's. */
interface Model extends Valued<string>, MayBeNone {
  readonly kind: "model";
  readonly initial: string | null;
}

interface Choice extends Valued<string> {
  readonly kind: "choice";
  readonly choices: readonly string[];
  readonly initial: string;
}

interface List extends Valued<string> {
  readonly kind: "list";
  readonly initial: readonly string[];
  readonly longest: number;
  readonly most: number;
  /** Format of an entry and its description; any text if absent. */
  readonly entry?: { readonly form: RegExp; readonly words: string };
}

export type Setting = Switch | Amount | Url | ProxyChoice | Model | Choice | List;

const TIME_LIMIT = { kind: "integer", group: "timeouts", min: 1, value: "SECONDS" } as const;

const LIST_OF_CALLERS = { kind: "list", group: "listening", initial: [], longest: 300, most: 100 } as const;

export const declaredSettings = {
  /** The whole app's budget per UTC month. Sandbox calls do not count. */
  monthly_budget_usd: {
    kind: "usd",
    group: "budget",
    initial: null,
    min: 0,
    max: MOST_USD,
    none: "none",
    value: "USD",
    about: "of all keys together, per UTC month, or none",
    title: "Monthly budget",
    shown: (usd) => `$${usd}`,
  },
  /** Whether routes apply. Off: their names are invalid, or those of models. */
  routes: {
    kind: "switch",
    group: null,
    initial: true,
    about: "whether routes apply",
    title: "Routes",
  },
  sandbox: {
    kind: "choice",
    group: "sandbox",
    choices: ["on", "off", "auto"],
    initial: "auto",
    environment: "POSTERN_SANDBOX",
    value: "MODE",
    about: "auto (while no provider is connected), on or off",
    title: "Sandbox",
  },
  /** Model that describes pictures and files for models without vision, once per session; null: none. */
  picture_model: {
    kind: "model",
    group: "pictures",
    initial: null,
    none: "not described",
    value: "MODEL",
    about: "describes pictures and files to models that take none, for its price, or none",
    title: "Pictures",
    shown: (model) => `described by ${model}`,
  },
  /** If no model describes them, models that surely take no pictures or files are informed that one was there. */
  pictures_as_words: {
    kind: "switch",
    group: "pictures",
    initial: false,
    about: "tell models that take no pictures or files that one was there, where none describes them",
    title: "Pictures as words",
  },
  /** Max age of results in days; null: unlimited. */
  media_keep_days: {
    kind: "integer",
    group: "results",
    initial: null,
    min: 1,
    max: 36_500,
    none: "for ever",
    value: "N",
    about: "remove results that are older, or none",
    title: "Results are kept",
    shown: (days) => `for ${days} days`,
  },
  /** The oldest results are removed while the library is larger; null: no bound. */
  media_max_gib: {
    kind: "number",
    group: "results",
    initial: null,
    min: 0.1,
    max: 1_000_000,
    none: "not bounded",
    value: "N",
    about: "remove the oldest results while the library is larger, or none",
    title: "Size of the library",
    shown: (gib) => `at most ${gib} GiB`,
  },
  /** Images and speech whose client disconnects are finished and saved: their provider is paid anyway. */
  finish_cancelled_media: {
    kind: "switch",
    group: "results",
    initial: true,
    about: "finish images and speech whose app disconnects, and save them",
    title: "Cancelled media",
    shown: (on) => (on ? "finished and saved" : "ended"),
  },
  /** `host:port` pairs on private addresses that webhooks and downloads may reach, next to the environment's. */
  allow_targets: {
    kind: "list",
    group: "webhooks",
    initial: [],
    longest: 300,
    most: 100,
    value: "HOST:PORT,…",
    about: "private addresses that webhook deliveries and downloads may reach (replaces the list), or none",
    title: "Allowed targets",
  },
  /** Host names of `/v1`, `/mcp`, `/media` and `/metrics` next to those of this machine; never of the pages. */
  allowed_hosts: {
    ...LIST_OF_CALLERS,
    environment: "POSTERN_ALLOWED_HOSTS",
    entry: {
      form: /^((\*\.)?[A-Za-z\d_]([\w.-]*[A-Za-z\d_])?|\[[A-Fa-f\d:.]+\])(:\d{1,5})?$/,
      words: "host names such as postern.example.com, *.example.ts.net or nas:8080",
    },
    value: "HOST,…",
    about: "further host names under which /v1 and /mcp are served (replaces the list), or none",
    title: "Allowed hosts",
  },
  /** Origins of apps whose windows call `/v1` and `/mcp` with a key by CORS. */
  allowed_origins: {
    ...LIST_OF_CALLERS,
    environment: "POSTERN_ALLOWED_ORIGINS",
    entry: {
      // A pattern of the web names a host: http://* would be every page that the user visits.
      form: /^(null|https?:\/\/((\*\.)?[A-Za-z\d][\w.-]*|\[[A-Fa-f\d:]+\])(:(\d{1,5}|\*))?|(?![Hh][Tt][Tt][Pp][Ss]?:)[A-Za-z][A-Za-z\d+.-]*:\/\/[\w.*:-]*)\/?$/,
      words: "origins such as app://obsidian.md, vscode-webview://*, file:// or http://localhost:*",
    },
    value: "ORIGIN,…",
    about: "origins of apps and pages that may call /v1 and /mcp with a key (replaces the list), or none",
    title: "Allowed origins",
  },
  /** Whether request and response bodies are stored on this machine, for the Requests page. */
  record_bodies: {
    kind: "switch",
    group: "recordings",
    initial: false,
    option: "record",
    about: "record requests and responses on this machine",
    title: "Recording",
  },
  /** Max age of recordings in days. */
  record_keep_days: {
    kind: "integer",
    group: "recordings",
    initial: 7,
    min: 1,
    max: 90,
    value: "N",
    about: "delete recordings that are older",
    after: "record_bodies",
    shown: (days) => `, for ${days} days`,
  },
  /** The oldest recordings are deleted while there are more. */
  record_max_mib: {
    kind: "integer",
    group: "recordings",
    initial: 512,
    min: 1,
    max: 1_000_000,
    value: "N",
    about: "delete the oldest recordings while there are more",
    after: "record_bodies",
    shown: (mib) => ` and at most ${mib} MiB`,
  },
  /** Number of daily backups to keep; null: none are made. */
  backup_keep: {
    kind: "integer",
    group: "backups",
    // A week of daily ones.
    initial: 7,
    min: 1,
    max: 365,
    none: "none",
    value: "N",
    about: "make a backup each day and keep so many of them, or none",
    title: "Daily backups",
    shown: (backups) => `the newest ${backups} are kept`,
  },
  /** Port to listen on; null: 6174. The command line and POSTERN_PORT go before it. */
  port: {
    kind: "integer",
    group: "listening",
    atRestart: true,
    initial: null,
    min: 1_024,
    max: 65_535,
    none: "6174",
    value: "PORT",
    about: "where Postern listens from the next start on; none for 6174",
    title: "Port",
  },
  /** Whether other machines of the network may call `/v1` and `/mcp`. The command line and POSTERN_HOST go before it. */
  lan: {
    kind: "switch",
    group: "listening",
    atRestart: true,
    initial: false,
    about: "let other machines call /v1 and /mcp from the next start on; keys protect it alone",
    title: "Local network",
    shown: (on) => (on ? "on: other machines may call it with a key" : "off"),
  },
  /** Proxy for outgoing requests; connections may override it. */
  proxy: {
    kind: "proxy",
    group: "outbound",
    initial: "system",
    environment: "POSTERN_PROXY",
    value: "ADDRESS",
    about: "proxy for outbound requests: system, off, or an address such as http://proxy:8080 or socks5://proxy:1080",
    title: "Outbound proxy",
    shown: (choice) => (choice === "system" ? "of the environment and the system" : choice),
  },
  /** Max seconds to connect to a provider. */
  connect_timeout_s: {
    ...TIME_LIMIT,
    initial: 5,
    max: 120,
    environment: "POSTERN_CONNECT_TIMEOUT_S",
    about: "how long connecting to a provider may take",
    title: "Time limits",
    shown: (seconds) => `${seconds} s to connect`,
  },
  /** Max seconds until a streamed response starts; unlimited for servers on this machine and in private networks. */
  first_byte_timeout_s: {
    ...TIME_LIMIT,
    initial: 120,
    max: 86_400,
    environment: "POSTERN_FIRST_BYTE_TIMEOUT_S",
    about: "how long a provider may take to begin a streamed response; local servers have no such limit",
    after: "connect_timeout_s",
    shown: (seconds) => `, ${seconds} s to the first byte of a stream`,
  },
  /** Seconds between two chunks of one response. */
  silence_timeout_s: {
    ...TIME_LIMIT,
    initial: 300,
    max: 86_400,
    environment: "POSTERN_SILENCE_TIMEOUT_S",
    about: "how long a provider may be silent within a response",
    after: "connect_timeout_s",
    shown: (seconds) => `, ${seconds} s of silence within a response`,
  },
  /** Max seconds of a whole call; null: 600 until a non-streamed response starts, then unlimited. */
  call_timeout_s: {
    ...TIME_LIMIT,
    initial: null,
    max: 604_800,
    environment: "POSTERN_CALL_TIMEOUT_S",
    none: ", 600 s to a whole response",
    about: "how long a whole call may take, streams too; none for 600 s to a response that is not streamed",
    after: "connect_timeout_s",
    shown: (seconds: number) => `, ${seconds} s for a whole call`,
  },
  /** URL of a price list as LiteLLM or models.dev publish it; null: prices are those of the catalog. */
  price_list_url: {
    kind: "url",
    group: "priceList",
    initial: null,
    none: "",
    option: "price-list",
    value: "URL",
    about: "a list of LiteLLM's or models.dev's shape to fetch prices from, or none",
    title: "Price list",
  },
  /** Whether the list is fetched daily, to be offered. */
  price_list_daily: {
    kind: "switch",
    group: "priceList",
    initial: false,
    needs: "price_list_url",
    about: "fetch it every day; it is only offered",
    after: "price_list_url",
    shown: (daily) => `, fetched ${daily ? "daily" : "manually"}`,
  },
  /** Whether npm is asked once a day for a newer version, for a notice. */
  update_check: {
    kind: "switch",
    group: "updates",
    initial: false,
    about: "ask npm once a day whether there is a newer version, and say so",
    title: "Newer versions",
    shown: (on) => (on ? "looked for daily" : "not looked for"),
  },
  /** Service that searches for models whose providers do not. */
  search_provider: {
    kind: "choice",
    group: "search",
    choices: searchProviders,
    initial: "none",
    value: "NAME",
    about: "who searches the web for models that cannot: none, brave, tavily, exa or searxng",
    title: "Web search",
  },
  /** URL of a SearXNG on this machine, or at an allowed target. */
  searxng_url: {
    kind: "url",
    group: "search",
    initial: null,
    none: "",
    value: "URL",
    about: "where SearXNG runs: this machine or an allowed target; none to forget it",
    after: "search_provider",
    shown: (url) => `, SearXNG at ${url}`,
  },
  /** Price of one search; null: the provider's published price. */
  search_price_usd: {
    kind: "usd",
    group: "search",
    initial: null,
    min: 0,
    max: 100,
    none: "",
    option: "search-price",
    value: "USD",
    about: "what one search costs, or none for the published price",
    after: "search_provider",
    shown: (usd) => `, $${usd} each`,
  },
  /** OTLP endpoint for traces and metrics; null: nothing is sent. */
  otlp_endpoint: {
    kind: "url",
    group: "telemetry",
    initial: null,
    environment: "POSTERN_OTLP_ENDPOINT",
    none: "sent to nobody",
    value: "URL",
    about: "an OpenTelemetry receiver to send traces and metrics to by OTLP over HTTP, or none",
    title: "Telemetry",
    shown: (url) => `sent to ${url}`,
  },
  otlp_signals: {
    kind: "choice",
    group: "telemetry",
    choices: ["both", "traces", "metrics"],
    initial: "both",
    value: "SIGNALS",
    about: "what the receiver takes: both, traces or metrics",
    after: "otlp_endpoint",
    shown: (signals) => (signals === "both" ? ": traces and metrics" : `: ${signals}`),
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Declared = typeof declaredSettings;
export type SettingName = keyof Declared;

type ValueOf<One extends Setting> =
  | (One extends Switch
      ? boolean
      : One extends Amount
        ? number
        : One extends Choice
          ? One["choices"][number]
          : One extends List
            ? readonly string[]
            : string)
  | (One extends { readonly none: string } ? null : never);

/** The values, as the control API shows and changes them. */
export type Settings = { [Name in SettingName]: ValueOf<Declared[Name]> };

/** Texts of a setting on the Settings page. */
export interface SettingWords {
  readonly label: string;
  readonly help?: string;
  /** Shown in the field while it is empty. */
  readonly empty?: string;
  /** Labels of the choices. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Why a switch that needs another setting cannot be changed. */
  readonly unavailable?: string;
  /** Asked before it is switched on. Each line of the text is a paragraph. */
  readonly confirm?: { readonly title: string; readonly text: string; readonly action: string };
}

/** Settings that the page shows. */
export type ShownSetting = {
  [Name in SettingName]: Declared[Name]["group"] extends SettingGroup ? Name : never;
}[SettingName];

export const settingNames = Object.keys(declaredSettings) as readonly SettingName[];

/** Returns a setting's declaration in its general type. */
export const getSetting = (name: SettingName): Setting => declaredSettings[name];

/** Values of unchanged settings. */
export const initialSettings = Object.fromEntries(
  settingNames.map((name) => [name, getSetting(name).initial]),
) as Settings;
