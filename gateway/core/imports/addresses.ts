import { createConnectionSchema } from "../../contract/connection.ts";
import type { FieldReason } from "../../contract/imports.ts";
import type { Known, KnownProvider } from "./known.ts";

/** Dialect that a program uses with a provider; null: not stated. */
export type Spoken = "chat" | "responses" | "messages" | "gemini" | null;

/** The target of a connection. */
export interface Home {
  /** Id of the provider. */
  readonly provider: string;
  /** Undefined: the provider's own. */
  readonly baseUrl: string | undefined;
  /** Whether the original differed: with an operation's path, a query, or without the version. */
  readonly changed: boolean;
}

export type Found = Home | { readonly reason: FieldReason };

/** Programs of this kind on this machine: 3456 Claude Code Router, 15721 cc-switch, 20128 9router and OmniRoute, 8317 CLIProxyAPI. */
const PEER_PORTS: ReadonlySet<string> = new Set(["3456", "15721", "20128", "8317"]);

/**
 * Operation at the end of an address, for programs that are configured with full endpoint URLs: `…/chat/completions`,
 * `…/v1/messages`, `…/v1beta/models/`, `…/models/gemini-3-pro:generateContent`.
 */
const OPERATION = /\/(chat\/completions|completions|responses|messages|embeddings|models(\/[^/]*(:[A-Za-z]+)?)?)$/;

/**
 * Returns the provider and the base URL for an address of another program.
 * @param spoken the dialect in which the program calls it
 * @param own further local ports on which the program itself listens
 * @param isExact whether the program appends operations to the address unchanged: a bare host then has no version
 */
export function readHome(
  address: string,
  spoken: Spoken,
  known: Pick<Known, "providers" | "origin">,
  own: readonly string[] = [],
  isExact = false,
): Found {
  const text = address.trim();
  const url = URL.parse(text.includes("://") ? text : `https://${text}`);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:") || url.hostname === "")
    return { reason: "unreadable" };
  if (url.username !== "" || url.password !== "") return { reason: "not-supported" };
  if (isOwn(url, known.origin, own)) return { reason: "own-address" };
  const given = withoutEnd(url.href);
  url.search = "";
  url.hash = "";
  const dialect = spoken ?? readDialect(url);
  const whole = new URL(url);
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, "").replace(OPERATION, "");
  const provider = getProvider(url, dialect, known.providers);
  if (provider === null) return { reason: "unknown-provider" };
  if (isExact && whole.pathname === "/" && whole.protocol === "https:") whole.pathname = "/chat/completions";
  // A self-hosted server has its API where the full endpoint URL points.
  const baseUrl = provider.normalizeBaseUrl(provider.defaultBaseUrl === null ? whole : url);
  if (!createConnectionSchema.shape.base_url.safeParse(baseUrl).success) return { reason: "not-supported" };
  const isDefault = provider.defaultBaseUrl !== null && provider.defaultBaseUrl === baseUrl;
  return { provider: provider.id, baseUrl: isDefault ? undefined : baseUrl, changed: withoutEnd(baseUrl) !== given };
}

/** Whether requests to this address would come back: it is Postern, the program itself, or one like it on this machine. */
function isOwn({ hostname, port, protocol }: URL, origin: string, own: readonly string[]): boolean {
  if (!isLoopback(hostname)) return false;
  const at = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return PEER_PORTS.has(at) || own.includes(at) || URL.parse(origin)?.port === at;
}

/** Whether a host is this machine, however it is written. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    host === "::" ||
    host === "0.0.0.0" ||
    /^127(\.\d+){3}$/.test(host) ||
    host.startsWith("::ffff:7f")
  );
}

/** Reads the dialect from a path. */
function readDialect({ pathname }: URL): Spoken {
  if (/\/(anthropic|claude)(\/|$)|\/messages\/?$/i.test(pathname)) return "messages";
  if (/\/v1beta(\/models|\/?$)/.test(pathname)) return "gemini";
  return /\/responses\/?$/.test(pathname) ? "responses" : null;
}

/**
 * Finds the owner of the host, if it speaks the dialect at this path; else the provider for the dialect at any address.
 * A provider's host may offer other products (coding plans, Anthropic's dialect) at other addresses.
 */
function getProvider(url: URL, spoken: Spoken, providers: readonly KnownProvider[]): KnownProvider | null {
  const atHome = providers.find(({ homes }) => homes?.test(url.hostname) === true);
  if (atHome !== undefined && (spoken !== "messages" || atHome.messages !== null) && isItsApi(atHome, url))
    return atHome;
  return providers.find(({ id }) => id === SPEAKERS[spoken ?? "chat"]) ?? null;
}

/** Tells whether this address is the provider's API, and not another product on the same host. */
function isItsApi({ defaultBaseUrl, normalizeBaseUrl }: KnownProvider, url: URL): boolean {
  if (defaultBaseUrl === null) return false;
  const path = (text: string): string => new URL(text).pathname.replace(/(?<!\/)\/+$/, "");
  return path(normalizeBaseUrl(url)) === path(defaultBaseUrl);
}

/**
 * Providers for a dialect at any address. Servers for Codex often support only Responses, which is not used with
 * compatible servers.
 */
const SPEAKERS = {
  chat: "openai-compatible",
  responses: "openai",
  messages: "anthropic",
  gemini: "gemini",
} as const satisfies Record<NonNullable<Spoken>, string>;

const withoutEnd = (address: string): string => address.replace(/(?<!\/)\/+$/, "");
