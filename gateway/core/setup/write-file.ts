import { Document } from "yaml";
import type { Setup } from "../../contract/setup.ts";
import { SECRET, literal } from "./references.ts";

/** A set-up as written to the file, and the secrets that its references point to. */
export interface Separated {
  readonly sections: Readonly<Record<string, unknown>>;
  /** Secrets by name, in the order in which they occur. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Puts references into the places of secrets. */
export function splitSecrets(setup: Setup): Separated {
  const { connections = [], keys, search_keys, webhook_secret, telemetry_headers, ...rest } = setup;
  const secrets: Record<string, string> = {};
  const put = (name: string, value: string): string => {
    const free = Object.hasOwn(secrets, name) ? `${name}-${Object.keys(secrets).length}` : name;
    secrets[free] = value;
    return `\${${SECRET}${free}}`;
  };
  const referring = connections.map(({ keys, headers, ...connection }) => ({
    ...(literal(connection) as object),
    ...(keys !== undefined && { keys: keys.map((key, index) => put(chooseName(connection.name, index + 1), key)) }),
    ...(headers !== undefined && { headers: headers && put(chooseName(connection.name, "headers"), headers) }),
  }));
  const searchKeys = Object.entries(search_keys ?? {}).map(([service, key]) => [
    service,
    put(`search-${service}`, key),
  ]);
  const sections = {
    connections: referring,
    ...(keys !== undefined && {
      keys: keys.map(({ mask_words: words, ...key }) => ({
        ...(literal(key) as object),
        ...(words !== undefined && { mask_words: words && put(chooseName(key.name, "words"), words) }),
      })),
    }),
    ...(literal(rest) as object),
    ...(search_keys !== undefined && { search_keys: Object.fromEntries(searchKeys) as unknown }),
    ...(webhook_secret !== undefined && { webhook_secret: put("webhook", webhook_secret) }),
    ...(telemetry_headers !== undefined && { telemetry_headers: put("telemetry", telemetry_headers) }),
  };
  return { sections, secrets };
}

const chooseName = (connection: string, part: number | string): string =>
  `${connection.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-${part}`;

/** Returns a set-up without secrets: importing it keeps the current ones. */
export function withoutSecrets(setup: Setup): Separated {
  const { connections = [], keys, search_keys: _keys, webhook_secret: _secret, ...others } = setup;
  const { telemetry_headers: _headers, ...rest } = others;
  const bare = {
    connections: connections.map(({ keys: _left, headers: _values, ...connection }) => connection),
    ...(keys !== undefined && { keys: keys.map(({ mask_words: _words, ...key }) => key) }),
  };
  return { sections: literal({ ...bare, ...rest }) as Separated["sections"], secrets: {} };
}

/** The secrets as the text that is encrypted. */
export const secretsText = (secrets: Separated["secrets"]): string => getYaml(secrets);

const ORDER = [
  "connections",
  "keys",
  "routes",
  "route_models",
  "aliases",
  "prices",
  "budgets",
  "settings",
  "search_keys",
  "webhook_secret",
  "telemetry_headers",
  "metrics_key",
  "clients",
] as const;

/**
 * Writes the file, the same for the same set-up.
 * @param head lines of comment
 * @param encrypted text in the place of the secrets; null without secrets
 */
export function writeFile(sections: Separated["sections"], head: readonly string[], encrypted: string | null): string {
  const ordered = ORDER.flatMap((name) => (sections[name] === undefined ? [] : [[name, sections[name]]]));
  const tree = { version: 1, ...Object.fromEntries(ordered), ...(encrypted !== null && { secrets: encrypted }) };
  return `${head.map((line) => `# ${line}\n`).join("")}${getYaml(tree)}`;
}

function getYaml(tree: object): string {
  // Lines are not folded, so that text can be searched. Anchors are off, so that equal values are written twice.
  return new Document(tree, { aliasDuplicateObjects: false }).toString({ lineWidth: 0 });
}
