import { setImmediate as nextTurn } from "node:timers/promises";
import type { ImportedKey, ImportPreview, ImportProgram, ImportSource } from "../../contract/import-operations.ts";
import type { ImportedField } from "../../contract/imports.ts";
import type { Setup, SetupConnection } from "../../contract/setup.ts";
import type { SetupConfirmation, SetupRead, SetupResult } from "../../contract/setup-operations.ts";
import type { Machine } from "../../core/clients/place.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Importer } from "../../core/imports/importer.ts";
import { namedProvider } from "../../core/imports/named-provider.ts";
import { SecretMask } from "../../core/imports/secret-mask.ts";
import { getSlug } from "../../core/models/model-id.ts";
import { settleFields } from "../../core/imports/settle-fields.ts";
import { onlyNew } from "../../core/setup/only-new.ts";
import type { KnownConnection, OnlyNew } from "../../core/setup/only-new.ts";
import { sha256 } from "../../lib/ids.ts";
import { redact, secretHint } from "../../lib/redact.ts";
import { isProviderId, providers } from "../../providers/registry.ts";
import { isProgramFile } from "../../store/imports/program-files.ts";
import type { Store } from "../../store/store.ts";
import { checkedBaseUrl, getHome } from "../connections/base-url.ts";
import type { Connections } from "../connections/connections.ts";
import type { ManageSetup, SetupWish } from "../setup/manage-setup.ts";
import { findAddress } from "../setup/setup-files.ts";
import { knownProviders } from "./known-providers.ts";
import { isLink, getPlaces, readProgram } from "./read-program.ts";
import type { ProgramRead } from "./read-program.ts";

export interface ManageImportsDeps {
  readonly setup: Pick<ManageSetup, "read" | "plan" | "apply" | "list">;
  readonly connections: Connections;
  readonly store: Pick<Store, "secrets">;
  readonly machine: Machine;
  readonly importers: () => Promise<readonly Importer[]>;
  /** Returns Postern's own origin, as `http://127.0.0.1:6174`. */
  readonly origin: () => string;
}

export interface ApplyImport extends ImportSource, SetupConfirmation {
  readonly take_keys: "all" | readonly string[];
  readonly take_over?: readonly string[] | undefined;
}

const LONGEST_VALUE = 300;
const SHORTEST_VALUE = 4;

interface Found extends ProgramRead {
  readonly importer: Importer;
  /** The connections, including every key that was found. */
  readonly connections: readonly SetupConnection[];
}

/** Takes over what other programs of this machine are set up with. Their files are read and never written. */
export class ManageImports {
  readonly #deps: ManageImportsDeps;

  constructor(deps: ManageImportsDeps) {
    this.#deps = deps;
  }

  /** Lists all programs, those with files first. */
  async list(): Promise<readonly ImportProgram[]> {
    const { machine, setup, importers } = this.#deps;
    const applied = setup.list();
    const places = machine.home === null ? null : getPlaces(machine, undefined);
    const programs = (await importers()).map(async (importer): Promise<ImportProgram> => {
      const { id, label } = importer;
      const paths = places === null ? [] : importer.files(places).map(({ path }) => path);
      const there = await Promise.all(paths.map(isProgramFile));
      const newest = applied.find(({ source }) => source === id);
      return {
        id,
        label,
        files: [...new Set(paths.filter((_path, index) => there[index]))],
        applied: newest === undefined ? null : { id: newest.id, at: newest.at },
      };
    });
    return (await Promise.all(programs)).toSorted((a, b) => Number(b.files.length > 0) - Number(a.files.length > 0));
  }

  /** Previews the changes if all keys were taken. It writes nothing and calls no provider. */
  async preview(source: ImportSource): Promise<ImportPreview> {
    const found = await this.#read(source);
    const { wish, existing, ...names } = this.#wish(source, found, "all", []);
    const plan = await this.#deps.setup.plan(wish);
    await nextTurn();
    const conflicts = [...existing, ...plan.conflicts];
    const addresses = new Map(found.connections.map((one) => [names.nameConnection(one.name), findAddress(one)]));
    return {
      ...plan,
      conflicts,
      reads: this.#reads(found),
      program: found.importer.id,
      files: [...found.files],
      fields: maskFields(settleFields(found.fields, { conflicts, addresses, ...names }), found.setup),
      keys: this.#keys(found),
      addresses: found.connections.map((one) => ({ connection: one.name, base_url: findAddress(one) })),
      token: getToken(found, plan.token),
    };
  }

  /** @throws GatewayError conflict if the files or the current set-up differ from what was shown */
  async apply(input: ApplyImport): Promise<SetupResult> {
    const { take_keys: keys, take_over: takeOver = [], token, test_keys, keep_refused, ...source } = input;
    const found = await this.#read(source);
    const shown = await this.#deps.setup.plan(this.#wish(source, found, "all", []).wish);
    if (getToken(found, shown.token) !== token)
      throw new GatewayError("conflict", "Nothing was changed: it is not as it was shown any more. Look at it again.");
    const { wish, existing } = this.#wish(source, found, keys, takeOver);
    const how = { source: found.importer.id, token: null, test_keys, keep_refused };
    const result = await this.#deps.setup.apply(wish, how);
    return { ...result, conflicts: [...existing, ...result.conflicts] };
  }

  async #read(source: ImportSource): Promise<Found> {
    const { importers, machine, store, origin } = this.#deps;
    // Keys that cannot be decrypted cannot be compared.
    const { locked } = store.secrets;
    if (locked !== null) throw new GatewayError("storage_unavailable", locked);
    const importer = (await importers()).find(({ id }) => id === source.program);
    if (importer === undefined)
      throw new GatewayError("not_found", `This Postern cannot import ${source.program}.`, { param: "program" });
    const read = await readProgram(importer, source, machine, knownProviders(origin()));
    const { addresses = {} } = source;
    const given = (read.setup.connections ?? []).map((connection) =>
      Object.hasOwn(addresses, connection.name) ? { ...connection, base_url: addresses[connection.name] } : connection,
    );
    const connections = await Promise.all(given.map(withAddress));
    return { ...read, importer, connections };
  }

  #wish(
    { text = "" }: ImportSource,
    found: Found,
    keys: ApplyImport["take_keys"],
    takeOver: readonly string[],
  ): Omit<OnlyNew, "setup"> & { wish: SetupWish } {
    // A link's provider is untrusted and must not serve other providers' models.
    const aside = isLink(text) ? { stands_in: false } : {};
    const connections = found.connections.map((connection, at) => ({ ...withKeys(connection, at, keys), ...aside }));
    const { clients: _theirs, webhook_secret: _their, ...setup } = found.setup;
    const { setup: added, ...others } = onlyNew(this.#deps.setup.read(), this.#listKnown(), { ...setup, connections });
    const wish = { setup: added, prune: false, partial: true, takeOver: isLink(text) ? null : takeOver };
    return { wish, ...others };
  }

  /** The variables whose values are in a set-up, directly or within its texts. */
  #reads({ setup, connections, texts }: Found): SetupRead[] {
    const { routes = [], aliases = {}, keys: localKeys, search_keys: searchKeys } = setup;
    const chains = routes.flatMap(({ models, rules = [] }) => [models, ...rules.map((rule) => rule.models)].flat());
    const ids = [...chains, ...Object.values(aliases)];
    const serialized = { keys: JSON.stringify(localKeys ?? []), search_keys: JSON.stringify(searchKeys ?? {}) };
    return Object.entries(this.#deps.machine.env).flatMap(([name, value = ""]) => {
      if (value.length < SHORTEST_VALUE) return [];
      const isNamed = texts.some((text) => text.includes(name));
      const isIn = (text: string): boolean => isNamed && [value, sha256(value)].some((form) => text.includes(form));
      const places = connections.filter(
        ({ name: front, keys = [], base_url: base = "" }) =>
          keys.includes(value) || isIn(base) || ids.some((id) => id.startsWith(`${getSlug(front)}/`) && isIn(id)),
      );
      const sections = Object.entries(serialized).flatMap(([section, text]) => (isIn(text) ? [section] : []));
      return [...new Set([...places.map(findAddress), ...sections])].map((place) => ({ name, goes_to: place }));
    });
  }

  #keys({ connections }: Found): ImportedKey[] {
    const known = new Set(this.#listKnown().flatMap(({ keys = [] }) => keys));
    return connections.flatMap(({ name, keys = [] }, at) =>
      keys.map((key, index) => ({
        id: keyId(at, index),
        connection: name,
        hint: secretHint(key),
        known: known.has(key),
      })),
    );
  }

  /** The connections that are here. */
  #listKnown(): readonly KnownConnection[] {
    const environment = this.#deps.connections
      .all()
      .filter(({ from }) => from === "environment")
      .map(({ name, provider, baseUrl, credentials }) => ({
        name,
        provider: provider.id,
        base_url: baseUrl,
        keys: credentials.flatMap(({ secret }) => secret ?? []),
        fixed: true,
      }));
    return [...(this.#deps.setup.read().connections ?? []), ...environment];
  }
}

/**
 * Sets the base URL as it would be stored; a refused one stays as it is, and the plan reports it. Plain http over the open
 * internet is not taken over: the owner has to set it explicitly.
 */
async function withAddress({ allow_http: _theirs, ...connection }: SetupConnection): Promise<SetupConnection> {
  const { provider: id, base_url, keys = [] } = connection;
  if (!isProviderId(id)) return connection;
  try {
    return {
      ...connection,
      base_url: await checkedBaseUrl(providers[id], base_url ?? getHome(providers[id], keys), false),
    };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return connection;
  }
}

const keyId = (connection: number, key: number): string => `${connection}.${key}`;

function withKeys(connection: SetupConnection, at: number, selected: ApplyImport["take_keys"]): SetupConnection {
  const { keys, ...rest } = connection;
  if (keys === undefined || selected === "all") return connection;
  const left = keys.filter((_key, index) => selected.includes(keyId(at, index)));
  return left.length === 0 ? rest : { ...rest, keys: left };
}

/** Fields as people may see them: no secret that is known is in a text. */
function maskFields(
  fields: readonly ImportedField[],
  { connections = [], keys = [], ...setup }: Setup,
): ImportedField[] {
  const all = Object.values(providers);
  const secrets = new SecretMask();
  for (const secret of [
    ...connections.flatMap((connection) => connection.keys ?? []),
    ...keys.flatMap(({ secret: own }) => own ?? []),
    ...Object.values(setup.search_keys ?? {}),
  ])
    if (namedProvider(secret, { providers: all }) === null) secrets.add(secret);
  const mask = (text: string): string => {
    const shown = redact(secrets.hide(text, secretHint));
    return shown.length > LONGEST_VALUE ? `${shown.slice(0, LONGEST_VALUE)}…` : shown;
  };
  return fields.map((field) => ({
    ...field,
    field: mask(field.field),
    value: mask(field.value),
    ...(field.becomes !== undefined && { becomes: mask(field.becomes) }),
  }));
}

function getToken({ setup, fields, files }: Found, plan: string): string {
  return sha256(JSON.stringify([setup, fields, files, plan]));
}
