import { isProviderId, providers } from "../../gateway/providers/registry.ts";
import type { Provider } from "../../gateway/providers/provider.ts";
import { looksSecret, namesSecret } from "../../gateway/lib/looks-secret.ts";
import type { PageRoute } from "./page-route.ts";
import type { LinkProblem } from "./words.ts";

/** The scheme that Postern answers to. */
export const LINK_SCHEME = "postern";

const LONGEST_LINK = 2_048;
const LONGEST_ADDRESS = 500;
const LONGEST_NAME = 100;

export type LinkResponse =
  | { readonly kind: "open"; readonly route: PageRoute }
  | { readonly kind: "refused"; readonly problem: LinkProblem };

/** Pages with the parameter by which each shows one item; null if it shows none by id. */
const PAGES: Readonly<Record<string, string | null>> = {
  overview: null,
  models: null,
  routes: null,
  connections: null,
  keys: null,
  usage: null,
  history: null,
  requests: "id",
  sessions: "id",
  tasks: "task",
  library: "media",
  playground: null,
  clients: null,
  mcp: null,
  settings: null,
  import: null,
};

const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  // `vendor` is used in links of earlier versions.
  connect: ["provider", "vendor", "base_url", "name"],
  open: ["page", "id"],
  key: ["name"],
};

class Refused extends Error {
  readonly problem: LinkProblem;
  constructor(problem: LinkProblem) {
    super(problem);
    this.problem = problem;
  }
}

/**
 * Parses a `postern:` link: to a page, or to a prefilled dialog. Opening one changes nothing; the dialog shows all
 * values in full and needs its button pressed. Anything but the exact known forms is refused.
 *
 * - `postern://connect?provider=ID[&base_url=…][&name=…]`, where a provider with its own hosts allows no other
 * - `postern://open?page=ID[&id=…]`
 * - `postern://key[?name=…]`
 */
export function readLink(link: string): LinkResponse {
  try {
    return { kind: "open", route: readRoute(link) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: "refused", problem: error.problem };
  }
}

function readRoute(link: string): PageRoute {
  if (link.length > LONGEST_LINK) throw new Refused("tooLong");
  // Some browsers insert a slash between host and query.
  const [, action = "", query = ""] = /^postern:\/\/([a-z]{1,20})\/?(?:\?([!"$-~]*))?$/i.exec(link) ?? [];
  const known = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (known === undefined) throw new Refused("unknown");
  const values = readQuery(query, known);
  switch (action) {
    case "connect":
      return connectRoute(values);
    case "open":
      return openRoute(values);
    default:
      return { page: "keys", params: { link: "key", ...getName(values) } };
  }
}

/** Known names, each at most once; values are decoded once, because double encoding hides something. */
function readQuery(query: string, known: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (query === "") return values;
  for (const pair of query.split("&")) {
    const mark = pair.indexOf("=");
    const name = mark === -1 ? pair : pair.slice(0, mark);
    if (namesSecret(name)) throw new Refused("secret");
    if (!known.includes(name) || values.has(name)) throw new Refused("unknown");
    values.set(name, decode(mark === -1 ? "" : pair.slice(mark + 1)));
  }
  return values;
}

function decode(raw: string): string {
  let value: string;
  try {
    value = decodeURIComponent(raw.replaceAll("+", " "));
  } catch {
    throw new Refused("value");
  }
  if (looksSecret(value)) throw new Refused("secret");
  // \p{C}: control, direction and other marks that show as nothing, and unpaired surrogates.
  if (value.trim() === "" || /[\p{C}\p{Zl}\p{Zp}%#<>\\]/u.test(value)) throw new Refused("value");
  return value.trim();
}

function getName(values: ReadonlyMap<string, string>): { readonly name?: string } {
  const name = values.get("name");
  if (name === undefined) return {};
  if (name.length > LONGEST_NAME) throw new Refused("value");
  return { name };
}

function connectRoute(values: ReadonlyMap<string, string>): PageRoute {
  const id = values.get("provider") ?? values.get("vendor") ?? "";
  if (!isProviderId(id)) throw new Refused("value");
  const { homes }: Provider = providers[id];
  const given = values.get("base_url");
  const address = given === undefined ? undefined : readAddress(given);
  // A link that names a provider and leads elsewhere would take a key there that its owner pastes for the name.
  if (address !== undefined && homes !== null) {
    const { protocol, hostname, port } = new URL(address);
    if (protocol !== "https:" || port !== "" || !homes.test(hostname)) throw new Refused("notItsHome");
  }
  return {
    page: "connections",
    params: {
      link: "connect",
      provider: id,
      ...(address === undefined ? {} : { base_url: address }),
      ...getName(values),
    },
  };
}

/** Shows a host as the network sees it: international names in ASCII form, so that look-alikes are visible. */
function readAddress(text: string): string {
  const url = text.length > LONGEST_ADDRESS || /\s/.test(text) ? null : URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text)) throw new Refused("address");
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  const isAllowed = url.protocol === "https:" || (url.protocol === "http:" && isLoopback);
  if (!isAllowed || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new Refused("address");
  }
  return url.href.replace(/\/$/, "");
}

function openRoute(values: ReadonlyMap<string, string>): PageRoute {
  const page = values.get("page") ?? "";
  if (!Object.hasOwn(PAGES, page)) throw new Refused("value");
  const parameter = PAGES[page] ?? null;
  const id = values.get("id");
  if (id === undefined) return { page };
  if (parameter === null || !/^[\w-]{1,100}$/.test(id)) throw new Refused("value");
  return { page, params: { [parameter]: id } };
}

/**
 * Returns the link in a process's arguments, or null. The operating system passes it as a separate argument; others
 * come from the launcher.
 * @param argv including the executable.
 */
export function getLinkAmong(argv: readonly string[]): string | null {
  return argv.slice(1).find((word) => /^postern:/i.test(word)) ?? null;
}

/**
 * Max bytes of a command line handed to the running Postern. Chromium reads at most 32 KiB including the working
 * folder, and otherwise kills the other process as hanging.
 */
const LONGEST_COMMAND = 16 * 1_024;

/**
 * Shortens a command line so that it can be handed over: a too long link stays recognizable as one.
 * @param argv including the executable.
 * @returns the same array if short enough; null if it is long without a link.
 */
export function listShortArguments(argv: readonly string[]): readonly string[] | null {
  const isShort = (words: readonly string[]): boolean => Buffer.byteLength(words.join(" ")) <= LONGEST_COMMAND;
  if (isShort(argv)) return argv;
  const cut = argv.map((word) => (/^postern:/i.test(word) ? word.slice(0, LONGEST_LINK + 1) : word));
  return isShort(cut) ? cut : null;
}
