import { HIDDEN_VALUE, readOwnHeaders } from "../../contract/own-fields.ts";
import { GatewayError } from "../../core/errors.ts";
import type { StoredConnection } from "../../store/document.ts";
import type { Secrets } from "../../store/store.ts";
import { boundTo, mayOpen } from "./connection-rules.ts";

type StoredHeaders = NonNullable<StoredConnection["headers"]>;

/**
 * Stores header fields of a connection; each value is a secret bound to the connection's address.
 * @param text lines `Name: value`; `***` keeps a stored value; undefined: no change
 * @param encrypt stores a value for the address and returns its id
 * @throws GatewayError invalid_value if no value is stored for `***`, missing_required_parameter if values would go to
 * another address
 */
export async function storeHeaders(
  text: string | undefined,
  before: Pick<StoredConnection, "name" | "base_url" | "headers"> | null,
  baseUrl: string,
  encrypt: (value: string, boundTo: string) => Promise<string> | string,
): Promise<StoredHeaders> {
  const stored = before?.headers ?? [];
  const origin = boundTo(baseUrl);
  const moves = before !== null && boundTo(before.base_url) !== origin;
  const keep = (name: string): StoredHeaders[number] => {
    const existing = stored.find((each) => each.name === name);
    if (existing === undefined || moves)
      throw new GatewayError(
        existing === undefined ? "invalid_value" : "missing_required_parameter",
        existing === undefined
          ? `The value of the header "${name}" is not known here: give it in the place of ${HIDDEN_VALUE}.`
          : `The header "${name}" of "${before?.name}" was given for its address of before. Give its value for the new one, or leave the header out.`,
        { param: "headers" },
      );
    return existing;
  };
  if (text === undefined) return stored.map(({ name }) => keep(name));
  const fields = Object.entries(readOwnHeaders(text) ?? {});
  return Promise.all(
    fields.map(async ([name, value]) =>
      value === HIDDEN_VALUE ? keep(name) : { name, id: await encrypt(value, origin) },
    ),
  );
}

/** Returns a connection's header fields by name, if their values decrypt for its address; null if it has none. */
export function openHeaders(
  { headers, base_url }: Pick<StoredConnection, "headers" | "base_url">,
  secrets: Pick<Secrets, "get">,
): Readonly<Record<string, string>> | null {
  const opened = (headers ?? []).flatMap(({ name, id }) => {
    const value = mayOpen(id, base_url) ? secrets.get(id) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return opened.length === 0 ? null : Object.fromEntries(opened);
}

/** Returns the names as lines, with the mark that keeps their stored values. */
export const hideHeaders = (names: readonly string[]): string =>
  names.map((name) => `${name}: ${HIDDEN_VALUE}`).join("\n");

/** Returns header fields as lines with their values; a value that does not open is the mark that keeps it. */
export function writeHeaders(
  record: Pick<StoredConnection, "headers" | "base_url">,
  secrets: Pick<Secrets, "get">,
): string {
  const opened = openHeaders(record, secrets);
  return (record.headers ?? []).map(({ name }) => `${name}: ${opened?.[name] ?? HIDDEN_VALUE}`).join("\n");
}
